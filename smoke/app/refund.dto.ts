import { IsString, MinLength } from 'class-validator';

export class RefundDto {
  @IsString()
  orderNo: string;

  @IsString()
  @MinLength(3)
  reason: string;
}
