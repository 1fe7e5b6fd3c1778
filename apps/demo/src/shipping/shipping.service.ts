import { Injectable } from '@nestjs/common';

const ZONES: ReadonlyMap<string, { base: number; perKilo: number; days: number }> = new Map([
  ['germany', { base: 4, perKilo: 0.5, days: 2 }],
  ['france', { base: 6, perKilo: 0.9, days: 3 }],
  ['japan', { base: 18, perKilo: 6, days: 8 }],
  ['united states', { base: 15, perKilo: 5, days: 6 }],
]);

@Injectable()
export class ShippingService {
  get countries(): string[] {
    return [...ZONES.keys()];
  }

  quote(country: string, kilos: number) {
    const zone = ZONES.get(country.toLowerCase());
    if (!zone) return undefined;
    return {
      country,
      kilos,
      price: zone.base + zone.perKilo * kilos,
      currency: 'EUR',
      days: zone.days,
    };
  }
}
