/** Hosts of one tool, `work`, with three enhancers: of the request, transient and static. */
import {
  Injectable,
  Scope,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CanActivate,
  type NestInterceptor,
  type Provider,
  type Type,
} from '@nestjs/common';
import { CurrentToolCall, Tool, ToolCall, ToolInput } from 'nestjs-agent-tools';
import type { ToolOptions } from 'nestjs-agent-tools';
import { z } from 'zod';
import { RequestGuard, StaticPipe, Tally, TransientInterceptor } from './enhancers.js';

const INPUT = z.object({ orderNo: z.string() });
type Input = z.output<typeof INPUT>;

export type Body = (call: ToolCall, tally: Tally) => unknown;

export interface HostOptions {
  readonly body?: Body;
  readonly tool?: Pick<ToolOptions, 'idempotent' | 'retry' | 'concurrency' | 'timeout'>;
  readonly durable?: boolean;
  readonly guard?: Type<CanActivate>;
  readonly interceptor?: Type<NestInterceptor>;
}

/** A request-scoped or durable class. */
export function hostOf({
  body = () => ({ status: 'shipped' }),
  tool,
  durable = false,
  guard = RequestGuard,
  interceptor = TransientInterceptor,
}: HostOptions = {}): Type {
  @Injectable({ scope: Scope.REQUEST, durable })
  class Orders {
    constructor(private readonly tally: Tally) {
      tally.add('host instance');
    }

    @Tool({ description: 'Works.', inputSchema: INPUT, ...tool })
    @UseGuards(guard)
    @UseInterceptors(interceptor)
    @UsePipes(StaticPipe)
    work(@ToolInput() _input: Input, @CurrentToolCall() call: ToolCall) {
      this.tally.add('method');
      return body(call, this.tally);
    }
  }
  return Orders;
}

/** The same from a factory, for which Nest has no wrappers of the enhancers. */
export function factoryOf(options?: HostOptions): Provider {
  const host = hostOf(options) as Type<object>;
  return {
    provide: host,
    scope: Scope.REQUEST,
    inject: [Tally],
    useFactory: (tally: Tally) => new host(tally),
  };
}
