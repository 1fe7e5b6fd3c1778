import { Injectable, UseGuards, UseInterceptors } from '@nestjs/common';
import { Tool, ToolFailedException, ToolInput } from 'nestjs-agent-tools';
import { AuditInterceptor } from '../audit/audit.interceptor.js';
import { CurrentUser } from '../auth/current-user.decorator.js';
import { Roles } from '../auth/roles.decorator.js';
import { RolesGuard } from '../auth/roles.guard.js';
import type { User } from '../auth/user.interface.js';
import { OrdersService } from '../orders/orders.service.js';
import { RefundDto } from './refund.dto.js';
import { RefundsService } from './refunds.service.js';

@Injectable()
@UseGuards(RolesGuard)
@UseInterceptors(AuditInterceptor)
export class RefundTools {
  constructor(
    private readonly orders: OrdersService,
    private readonly refunds: RefundsService,
  ) {}

  @Tool({
    description: 'Refund an order: pay the money back. Use it only if the user asks for a refund.',
    effect: 'destructive',
    parallel: false,
  })
  @Roles('support')
  refundOrder(@ToolInput() { orderNo }: RefundDto, @CurrentUser() user: User) {
    const order = this.orders.findByNumber(orderNo);
    if (!order) throw new ToolFailedException(`There is no order ${orderNo}.`);
    this.refunds.refund(orderNo, user.name);
    return { orderNo, refunded: order.total, currency: order.currency, by: user.name };
  }
}
