import { Injectable } from '@nestjs/common';
import { Tool, ToolInput } from 'nestjs-agent-tools';
import { z } from 'zod';
import { CURRENCIES, CurrencyService } from './currency.service.js';

const ConvertInput = z.object({
  amount: z.number().describe('Amount of money to convert'),
  from: z.enum(CURRENCIES).describe('Currency of the amount'),
  to: z.enum(CURRENCIES).describe('Currency to convert to'),
});

@Injectable()
export class CurrencyTools {
  constructor(private readonly currency: CurrencyService) {}

  @Tool({
    description: 'Convert an amount of money from one currency to another.',
    effect: 'read',
    inputSchema: ConvertInput,
  })
  convertCurrency(@ToolInput() { amount, from, to }: z.output<typeof ConvertInput>) {
    return { amount, from, to, result: this.currency.convert(amount, from, to) };
  }
}
