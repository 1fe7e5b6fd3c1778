import { Injectable, UseInterceptors } from '@nestjs/common';
import { Tool, ToolFailedException, ToolInput, ToolParam } from 'nestjs-agent-tools';
import { z } from 'zod';
import { AuditInterceptor } from '../audit/audit.interceptor.js';
import { OrdersService } from './orders.service.js';

const FindOrderInput = z.object({
  orderNo: z
    .string()
    .regex(/^[A-Z]-\d{4}$/)
    .describe('Order number, for example A-1042'),
});

@Injectable()
@UseInterceptors(AuditInterceptor)
export class OrderTools {
  constructor(private readonly orders: OrdersService) {}

  @Tool({
    description:
      'Find one order by its number: status, items, total. Use it for "where is my order".',
    effect: 'read',
    inputSchema: FindOrderInput,
  })
  findOrder(@ToolInput() { orderNo }: z.output<typeof FindOrderInput>) {
    const order = this.orders.findByNumber(orderNo);
    if (!order) throw new ToolFailedException(`There is no order ${orderNo}.`);
    return order;
  }

  @Tool({ description: 'List all orders of a customer.', effect: 'read' })
  customerOrders(
    @ToolParam('customer', { description: 'Name of the customer, for example Grace Hopper' })
    customer: string,
  ) {
    const orders = this.orders.findByCustomer(customer);
    if (orders.length === 0) throw new ToolFailedException(`${customer} has no orders.`);
    return orders.map(({ orderNo, status, total, currency }) => ({
      orderNo,
      status,
      total,
      currency,
    }));
  }
}
