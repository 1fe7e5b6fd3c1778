import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Scope,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import {
  AgentService,
  CurrentToolCall,
  Tool,
  ToolExecutionContext,
  ToolParam,
  type ToolCall,
} from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { timeout } from 'rxjs';
import { createApp } from '../support/app.js';

let app: TestingModule;
afterEach(() => app.close());

/** As the documentation of Nest has it. */
class TimeoutInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(timeout(20));
  }
}

const yesAfter = (ms: number) => () => sleep(ms, true);

describe('when an interceptor gave the call up while somebody was asked', () => {
  it('the yes that comes afterwards runs nothing', async () => {
    let runs = 0;
    @Injectable()
    class Tools {
      @Tool({ description: 'Pay.', approve: yesAfter(60) })
      @UseInterceptors(TimeoutInterceptor)
      pay() {
        runs++;
      }
    }
    app = await createApp({ providers: [Tools] });
    const { status } = await callTool(app, 'pay', {});
    await sleep(80);
    expect({ status, runs }).toEqual({ status: 'error', runs: 0 });
  });

  it('repeated calls do not all run in the end, past the limit of concurrency', async () => {
    let runs = 0;
    @Injectable()
    class Tools {
      @Tool({
        description: 'Pay.',
        idempotent: true,
        concurrency: 1,
        retry: { times: 3, delay: 1 },
        approve: yesAfter(60),
      })
      @UseInterceptors(TimeoutInterceptor)
      pay() {
        runs++;
      }
    }
    app = await createApp({ providers: [Tools] });
    const { status } = await callTool(app, 'pay', {});
    await sleep(80);
    expect({ status, runs }).toEqual({ status: 'error', runs: 0 });
  });
});

describe('when a call was given up before somebody could be asked', () => {
  it('asks nobody', async () => {
    let asked = 0;
    class Slow implements CanActivate {
      canActivate() {
        return sleep(60, true);
      }
    }
    @Injectable()
    class Tools {
      @Tool({ description: 'Pay.', timeout: 20, approve: () => ++asked > 0 })
      @UseGuards(Slow)
      pay() {
        return 'paid';
      }
    }
    app = await createApp({ providers: [Tools] });
    await callTool(app, 'pay', {});
    await sleep(80);
    expect(asked).toBe(0);
  });
});

describe('when an interceptor puts another input in place while somebody is asked', () => {
  it('does not run what was not approved', async () => {
    const ran: number[] = [];
    class Meddling implements NestInterceptor {
      intercept(context: ExecutionContext, next: CallHandler) {
        const call = ToolExecutionContext.create(context).getCall();
        setTimeout(() => (call.input = { amount: 1_000_000 }), 5);
        return next.handle();
      }
    }
    @Injectable()
    class Tools {
      @Tool({
        description: 'Pay.',
        approve: ({ input }) => sleep(20, (input as { amount: number }).amount <= 100),
      })
      @UseInterceptors(Meddling)
      pay(@ToolParam('amount') amount: number) {
        ran.push(amount);
      }
    }
    app = await createApp({ providers: [Tools] });
    await callTool(app, 'pay', { amount: 1 });
    expect(ran).not.toContain(1_000_000);
  });
});

describe('when a global guard is added between two calls of one context', () => {
  it.each([Scope.DEFAULT, Scope.REQUEST, Scope.TRANSIENT])(
    'asks it for a host of scope %s',
    async (scope) => {
      let runs = 0;
      @Injectable({ scope })
      class Tools {
        @Tool('Pay.')
        pay() {
          runs++;
        }
      }
      app = await createApp({ providers: [Tools] });
      const request = {};
      await callTool(app, 'pay', {}, { request });
      app.get(ApplicationConfig).useGlobalGuards({ canActivate: () => false });
      const { status } = await callTool(app, 'pay', {}, { request });
      expect({ status, runs }).toEqual({ status: 'denied', runs: 1 });
    },
  );
});

describe('when a run is aborted while a method is running', () => {
  it.each(['plain', 'with an interceptor', 'with concurrency', 'at its second attempt'])(
    'waits a while for what the method did: %s',
    async (kind) => {
      let hasFinished = false;
      const isRepeated = kind === 'at its second attempt';
      class Passing implements NestInterceptor {
        intercept(_context: ExecutionContext, next: CallHandler) {
          return next.handle();
        }
      }
      @Injectable()
      class Tools {
        @Tool({
          description: 'Pay.',
          idempotent: true,
          concurrency: kind === 'with concurrency' ? 1 : undefined,
          retry: isRepeated ? { times: 1, delay: 1 } : 0,
        })
        @UseInterceptors(...(kind === 'with an interceptor' ? [Passing] : []))
        async pay(@CurrentToolCall() { attempt }: ToolCall) {
          if (isRepeated && attempt === 1) throw new Error('once more');
          await sleep(80);
          hasFinished = true;
          return 'paid';
        }
      }
      app = await createApp({ providers: [Tools] });
      const controller = new AbortController();
      const run = app.get(AgentService).run('x', {
        model: scripted([{ tool: 'pay' }, 'Done.']),
        signal: controller.signal,
      });
      await sleep(30);
      controller.abort();
      const { steps } = await run;
      expect([hasFinished, steps[0].toolResults[0].status]).toEqual([true, 'success']);
    },
  );
});
