import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';

export class RefundDto {
  @Matches(/^[A-Z]-\d{4}$/)
  @IsString()
  orderNo!: string;

  @IsOptional()
  @IsString()
  @MaxLength(200)
  reason?: string;
}
