import { ForbiddenException, Injectable, UseGuards, type CanActivate } from '@nestjs/common';
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  CurrentToolCall,
  Tool,
  ToolFailedException,
  ToolParam,
  ToolSignal,
  type ToolCall,
} from 'nestjs-agent-tools';
import { aborted, sleep } from '../../loop/support/time.js';

export const STATUS = 'sent by carrier pigeon';

/** What the tools saw; cleared with each application. */
export interface Seen {
  readonly runs: string[];
  readonly traceIds: string[];
  onStart: () => void;
}

class Closed implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException('The shop is closed for token=abcdef123456.');
  }
}

class OutOfStock extends Error {}

@Injectable()
export class ShopTools {
  readonly seen: Seen = { runs: [], traceIds: [], onStart: () => undefined };

  @Tool('Find an order.')
  async find(@ToolParam('orderNo') orderNo: string, @CurrentToolCall() call: ToolCall) {
    this.seen.runs.push('find');
    this.seen.traceIds.push(call.traceId);
    return trace.getTracer('shop').startActiveSpan('load order', async (span) => {
      await sleep(1);
      span.end();
      return { orderNo, status: STATUS };
    });
  }

  @Tool({ name: 'shop.count', description: 'Count the stock.' })
  count(@CurrentToolCall() call: ToolCall) {
    this.seen.traceIds.push(call.traceId);
    trace.getSpan(context.active())?.addEvent('counted');
    return 3;
  }

  @Tool('Refuses orders.')
  refuse(@ToolParam('orderNo') orderNo: string) {
    throw new ToolFailedException(`There is no order ${orderNo}.`);
  }

  @Tool('Crashes.')
  crash() {
    throw new OutOfStock('The stock is at https://ada:hunter2@stock.example and empty.');
  }

  @Tool({ description: 'Crashes, and says so.', errors: 'message' })
  crashOpenly(@ToolParam('orderNo') orderNo: string) {
    throw new OutOfStock(`${orderNo} is gone.`);
  }

  @Tool('Never runs.')
  @UseGuards(Closed)
  closed(@ToolParam('orderNo') _orderNo: string) {
    this.seen.runs.push('closed');
  }

  @Tool({ description: 'Never ends.', timeout: 20 })
  endless() {
    this.seen.onStart();
    return new Promise(() => undefined);
  }

  @Tool('Ends when it is told to.')
  async obedient(@ToolSignal() signal: AbortSignal) {
    this.seen.onStart();
    await aborted(signal);
    throw signal.reason;
  }

  @Tool('Logs in.')
  login(@ToolParam('user') user: string, @ToolParam('password') _password: string) {
    return { user, session: { accessToken: 'tok-result' } };
  }

  @Tool('Marks its own span as failed and carries on.')
  careful() {
    trace.getTracer('shop').startActiveSpan('try', (span) => {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    return 'done';
  }
}
