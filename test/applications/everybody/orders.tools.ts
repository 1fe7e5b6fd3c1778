import { Injectable, NotFoundException } from '@nestjs/common';
import { IsInt, IsString, Matches, Min } from 'class-validator';
import { Tool, ToolInput } from 'nestjs-agent-tools';
import { CurrentUser, Public, Roles, type User } from './auth.js';

/** Every run of a tool's method. */
export class Ledger {
  readonly runs: string[] = [];
}

export class FindOrderDto {
  @IsString()
  @Matches(/^A-\d+$/)
  orderNo!: string;
}

export class RefundDto extends FindOrderDto {
  @IsInt()
  @Min(1)
  amount!: number;
}

@Injectable()
export class OrderTools {
  constructor(private readonly ledger: Ledger) {}

  @Tool('Find an order by its number.')
  findOrder(@ToolInput() input: FindOrderDto, @CurrentUser() user: User) {
    this.ledger.runs.push(`findOrder by ${user?.sub}`);
    if (input.orderNo === 'A-9') throw new NotFoundException('There is no order A-9.');
    return { orderNo: input.orderNo, isDto: input instanceof FindOrderDto, owner: user?.sub };
  }

  @Tool('Refund an order.')
  @Roles('support')
  refund(@ToolInput() { orderNo, amount }: RefundDto, @CurrentUser() user: User) {
    this.ledger.runs.push(`refund by ${user?.sub}`);
    return `${amount} of ${orderNo} were refunded by ${user?.sub}.`;
  }

  @Tool('Count all orders.')
  countOrders() {
    this.ledger.runs.push('countOrders');
    throw new Error('The database is down.');
  }

  @Tool('Tell the opening hours.')
  @Public()
  openingHours() {
    this.ledger.runs.push('openingHours');
    return 'From 9 to 5.';
  }
}
