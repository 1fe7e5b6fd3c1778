import { Injectable } from '@nestjs/common';
import type { Order } from './order.interface.js';
import { ORDERS } from './orders.data.js';

@Injectable()
export class OrdersService {
  findByNumber(orderNo: string): Order | undefined {
    return ORDERS.find((order) => order.orderNo === orderNo.toUpperCase());
  }

  findByCustomer(name: string): Order[] {
    const wanted = name.toLowerCase();
    return ORDERS.filter(({ customer }) => customer.toLowerCase().includes(wanted));
  }
}
