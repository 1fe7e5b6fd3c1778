import { Injectable } from '@nestjs/common';

export const CURRENCIES = ['EUR', 'USD', 'GBP', 'JPY', 'CHF'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** What one euro is worth; fixed, so that the demo gives the same answers every day. */
const RATES: Readonly<Record<Currency, number>> = {
  EUR: 1,
  USD: 1.1,
  GBP: 0.85,
  JPY: 160,
  CHF: 0.95,
};

@Injectable()
export class CurrencyService {
  convert(amount: number, from: Currency, to: Currency): number {
    return Math.round((amount / RATES[from]) * RATES[to] * 100) / 100;
  }
}
