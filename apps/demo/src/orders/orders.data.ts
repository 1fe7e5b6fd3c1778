import type { Order } from './order.interface.js';

export const ORDERS: readonly Order[] = [
  {
    orderNo: 'A-1042',
    customer: 'Ada Lovelace',
    status: 'shipped',
    items: ['2 × Walnut desk lamp'],
    total: 118,
    currency: 'EUR',
    orderedOn: '2026-11-02',
  },
  {
    orderNo: 'A-1043',
    customer: 'Grace Hopper',
    status: 'processing',
    items: ['1 × Standing desk', '1 × Cable tray'],
    total: 649.5,
    currency: 'EUR',
    orderedOn: '2026-11-20',
  },
  {
    orderNo: 'A-1077',
    customer: 'Ada Lovelace',
    status: 'delivered',
    items: ['1 × Oak bookshelf'],
    total: 240,
    currency: 'USD',
    orderedOn: '2026-10-11',
  },
];
