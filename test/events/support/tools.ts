import { Injectable, UseGuards } from '@nestjs/common';
import { of } from 'rxjs';
import {
  CurrentToolCall,
  Tool,
  ToolCall,
  ToolFailedException,
  ToolParam,
  ToolRetryException,
  ToolSignal,
} from 'nestjs-agent-tools';

/** What the methods did, for tests that say that one did not run. */
export const ran: string[] = [];

@Injectable()
export class OrderTools {
  private attempts = 0;

  @Tool('Find an order.')
  find(@ToolParam('orderNo') orderNo: string) {
    ran.push('find');
    return { orderNo, status: 'shipped' };
  }

  @Tool('Count items.')
  count(@ToolParam('items') items: number) {
    ran.push('count');
    return items;
  }

  @Tool('Refund an order.')
  @UseGuards({ canActivate: () => false })
  refund() {
    ran.push('refund');
  }

  @Tool({ description: 'Cancel an order.', effect: 'destructive', approve: () => false })
  cancel() {
    ran.push('cancel');
  }

  @Tool({ description: 'Ask a warehouse.', effect: 'read', retry: { times: 2, delay: 1 } })
  ask() {
    ran.push('ask');
    if (++this.attempts === 1) throw new Error('The line is busy.');
    return 'full';
  }

  @Tool('Fails on purpose.')
  fail() {
    throw new ToolFailedException('There is none.');
  }

  @Tool('Is never content.')
  refuse() {
    throw new ToolRetryException('Take another one.');
  }

  @Tool('Breaks.')
  crash() {
    throw new Error('broken');
  }

  @Tool('Lists orders one by one.')
  async *list() {
    yield 'A-1';
    await Promise.resolve();
    yield 'A-2';
    return 'two orders';
  }

  @Tool('Gives one order as an Observable.')
  observe() {
    return of('A-1');
  }

  @Tool('Packs an order.')
  pack(@CurrentToolCall() call: ToolCall) {
    call.progress({ packed: 1 });
    call.progress({ packed: 2 });
    return 'packed';
  }

  @Tool({ description: 'Takes too long.', timeout: 20 })
  wait(@ToolSignal() signal: AbortSignal) {
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }
}
