import { Injectable } from '@nestjs/common';

const STOCK: ReadonlyMap<string, { product: string; available: number }> = new Map([
  ['LAMP-01', { product: 'Walnut desk lamp', available: 14 }],
  ['DESK-07', { product: 'Standing desk', available: 3 }],
  ['SHELF-02', { product: 'Oak bookshelf', available: 0 }],
]);

@Injectable()
export class StockService {
  find(sku: string) {
    const entry = STOCK.get(sku.toUpperCase());
    return entry && { sku: sku.toUpperCase(), ...entry };
  }
}
