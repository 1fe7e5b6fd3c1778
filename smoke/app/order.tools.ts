import { DefaultValuePipe, Injectable, UseGuards } from '@nestjs/common';
import {
  CurrentToolCall,
  RunContext,
  Tool,
  ToolCall,
  ToolInput,
  ToolParam,
} from 'nestjs-agent-tools';
import { z } from 'zod';
import { AdminGuard } from './admin.guard';
import { RefundDto } from './refund.dto';
import './run-context';

@Injectable()
export class OrderTools {
  readonly refunds: string[] = [];

  @Tool({
    description: 'Look up the status of one order by its number.',
    inputSchema: z.object({ orderNo: z.string().describe('Number of the order, such as A-17') }),
  })
  findOrder(@ToolInput() { orderNo }: { orderNo: string }) {
    return { orderNo, status: 'shipped' };
  }

  @Tool('Refund an order.')
  @UseGuards(AdminGuard)
  refundOrder(@ToolInput() input: RefundDto, @CurrentToolCall() call: ToolCall): string {
    if (!(input instanceof RefundDto) || call.name !== 'refundOrder') {
      throw new Error('The tool was not given what it declares.');
    }
    this.refunds.push(input.orderNo);
    return `Order ${input.orderNo} is refunded`;
  }

  @Tool('Price for shipping a parcel to a country.')
  quoteShipping(
    @ToolParam('country', { description: 'Code of the country, such as DE' }) country: string,
    @ToolParam('kilos', { required: false }, new DefaultValuePipe(1)) kilos: number,
    @RunContext('currency') currency: string | undefined,
  ) {
    return { country, price: `${40 + kilos} ${currency ?? 'EUR'}` };
  }
}
