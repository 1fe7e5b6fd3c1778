import { DefaultValuePipe, Injectable, UseInterceptors } from '@nestjs/common';
import { Tool, ToolParam, ToolRetryException } from 'nestjs-agent-tools';
import { z } from 'zod';
import { AuditInterceptor } from '../audit/audit.interceptor.js';
import { ShippingService } from './shipping.service.js';

@Injectable()
@UseInterceptors(AuditInterceptor)
export class ShippingTools {
  constructor(private readonly shipping: ShippingService) {}

  @Tool({ description: 'Price and duration of shipping a parcel to a country.', effect: 'read' })
  shippingQuote(
    @ToolParam('country', { description: 'Country in English, for example Japan' }) country: string,
    @ToolParam(
      'kilos',
      { description: 'Weight in kg', schema: z.number().positive().max(70), required: false },
      new DefaultValuePipe(1),
    )
    kilos: number,
  ) {
    const quote = this.shipping.quote(country, kilos);
    if (quote) return quote;
    throw new ToolRetryException(
      `We do not ship to "${country}". The countries are: ${this.shipping.countries.join(', ')}.`,
    );
  }
}
