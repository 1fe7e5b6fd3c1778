import { Injectable } from '@nestjs/common';
import { Tool, ToolFailedException, ToolParam } from 'nestjs-agent-tools';
import { StockService } from './stock.service.js';

@Injectable()
export class StockTools {
  constructor(private readonly stock: StockService) {}

  @Tool({ description: 'How many pieces of a product are in stock, by its SKU.', effect: 'read' })
  checkStock(
    @ToolParam('sku', {
      description: 'SKU of the product, for example LAMP-01',
      schema: { type: 'string', pattern: '^[A-Z]+-\\d{2}$' },
    })
    sku: string,
  ) {
    const entry = this.stock.find(sku);
    if (!entry) throw new ToolFailedException(`There is no product with the SKU ${sku}.`);
    return entry;
  }
}
