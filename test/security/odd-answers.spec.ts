import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { HttpException, Injectable, UseGuards, type CanActivate } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { trace } from '@opentelemetry/api';
import { AgentService, Tool } from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { createApp } from '../support/app.js';

let app: TestingModule;
afterEach(() => app.close());

async function startGuarded(canActivate: CanActivate['canActivate'], timeout = 1_000) {
  const state = { runs: 0 };
  @Injectable()
  class Tools {
    @Tool({ description: 'Pay.', timeout })
    @UseGuards({ canActivate })
    pay() {
      state.runs++;
    }
  }
  app = await createApp({ providers: [Tools] });
  return state;
}

describe('a guard', () => {
  it('that answers with a function to wait for is waited for, as in Nest', async () => {
    // oxlint-disable-next-line unicorn/no-thenable
    const no = Object.assign(() => true, { then: (ok: (answer: boolean) => void) => ok(false) });
    const state = await startGuarded(() => no as unknown as boolean);
    const { status } = await callTool(app, 'pay', {});
    expect({ status, runs: state.runs }).toEqual({ status: 'denied', runs: 0 });
  });
});

describe('an exception whose own methods throw', () => {
  it('ends a call that may be repeated at once, and leaves no unhandled rejection', async () => {
    class Broken extends HttpException {
      override getStatus(): number {
        throw new Error('no status');
      }
    }
    @Injectable()
    class Tools {
      @Tool({ description: 'Read.', effect: 'read', retry: 1, timeout: 500 })
      read() {
        throw new Broken('x', 500);
      }
    }
    app = await createApp({ providers: [Tools] });
    const { status, duration } = await callTool(app, 'read', {});
    expect(status).toBe('error');
    expect(duration).toBeLessThan(450);
  });
});

describe('a tracer provider that throws', () => {
  afterEach(() => trace.disable());

  it('neither fails a stream nor leaves its result open', async () => {
    app = await createApp({});
    trace.setGlobalTracerProvider({
      getTracer: () => {
        throw new Error('no tracer');
      },
    });
    const stream = app.get(AgentService).stream('x', { model: scripted(['Done.']) });
    const { result } = stream;
    const read = async () => {
      for await (const event of stream) if (event.type === 'run-failed') throw event.error;
    };
    await expect(read()).resolves.toBeUndefined();
    expect(await Promise.race([result, sleep(200, 'open')])).toMatchObject({ text: 'Done.' });
  });
});
