/** What the runtime of tools does, each thing once, as an application uses it: how calls are run. */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, ToolSignal, type ToolPolicy } from 'nestjs-agent-tools';
import { aborted, idle, sleep } from '../loop/support/time.js';
import { LOG, shopWith } from './support/shop.tools.js';
import { readings, start } from './support/start.js';

const STAFF = { request: { user: { isStaff: true } } };
const REFUND = { tool: 'refund', arguments: { orderNo: 'A-1' } };

async function openShop() {
  const log: string[] = [];
  const ShopTools = shopWith(log);
  const started = await start({ providers: [ShopTools, { provide: LOG, useValue: log }] });
  return { log, ...started };
}

describe('the way of a call', () => {
  it('leads through guard, interceptor, validation, pipe and method, and back', async () => {
    const { log, step } = await openShop();
    const { results } = await step([REFUND], STAFF);
    expect(results).toMatchObject([{ status: 'success', value: { refunded: 'A-1' } }]);
    expect(log).toEqual([
      'guard',
      'interceptor',
      'validation',
      'pipe',
      'method',
      'interceptor again',
    ]);
  });

  it('ends with a result that has the id and name of the call, wherever it ends', async () => {
    const { log, step } = await openShop();
    const calls = [
      { id: 'call_a', tool: 'no_such_tool' },
      { id: 'call_b', tool: 'refund', arguments: '{"orderNo":' },
      { id: 'call_c', tool: 'refund', arguments: { orderNo: 'B-1' } },
      { id: 'call_d', tool: 'refund', arguments: { orderNo: 'A-0' } },
      { id: 'call_e', ...REFUND },
    ];
    const { result, results } = await step(calls, STAFF);
    expect(results.map(({ callId, name, status }) => [callId, name, status])).toEqual([
      ['call_a', 'no_such_tool', 'error'],
      ['call_b', 'refund', 'error'],
      ['call_c', 'refund', 'error'],
      ['call_d', 'refund', 'success'],
      ['call_e', 'refund', 'success'],
    ]);
    expect(result).toMatchObject({ status: 'completed', text: 'Done.' });
    expect(log.filter((entry) => entry === 'method')).toHaveLength(2);
  });
});

describe('guards, interceptors, pipes and filters', () => {
  it('stand around a method of a proxy, and the method of the proxy is the one that runs', async () => {
    const log: string[] = [];
    const ShopTools = shopWith(log);
    let proxied = 0;
    const useFactory = () =>
      new Proxy(new ShopTools(log), {
        get(target, key, receiver) {
          const value: unknown = Reflect.get(target, key, receiver);
          if (key !== 'refund') return value;
          return (no: string) => {
            proxied++;
            return target.refund(no);
          };
        },
      });
    const { step } = await start({
      providers: [
        { provide: ShopTools, useFactory },
        { provide: LOG, useValue: log },
      ],
    });
    expect((await step([REFUND])).results).toMatchObject([{ status: 'denied' }]);
    expect([proxied, log]).toEqual([0, ['guard']]);
    expect((await step([REFUND], STAFF)).results).toMatchObject([{ status: 'success' }]);
    expect(proxied).toBe(1);
    expect(log.filter((entry) => entry === 'method')).toHaveLength(1);
  });

  it('deny a call without telling why, and before its arguments are judged', async () => {
    const { log, step } = await openShop();
    const { model } = await step([{ ...REFUND, arguments: { orderNo: 'B-1' } }]);
    expect(readings(model)).toEqual([
      'Denied: "refund" may not be called here. Do not call it again.',
    ]);
    expect(log).toEqual(['guard']);
  });

  it('answer for the method: what a filter returns is the result', async () => {
    const { step } = await openShop();
    const { results, model } = await step([{ ...REFUND, arguments: { orderNo: 'A-0' } }], STAFF);
    expect(results).toMatchObject([{ status: 'success', value: { answer: 'It is sold out.' } }]);
    expect(readings(model)).toEqual(['{"answer":"It is sold out."}']);
  });
});

describe('a tool that the model invents', () => {
  it('is answered with the names of the real ones', async () => {
    const { step } = await openShop();
    const { model } = await step([{ tool: 'reimburse' }, REFUND], STAFF);
    expect(readings(model)).toEqual([
      'There is no tool "reimburse". The tools are: refund.',
      '{"refunded":"A-1"}',
    ]);
  });

  it('is answered by the application if it wants to', async () => {
    const { step } = await openShop();
    const { model } = await step([{ tool: 'reimburse' }], {
      toolOverrides: {
        onUnknownTool: ({ name }, names) => `Not ${name}, but ${names.join(' or ')}.`,
      },
    });
    expect(readings(model)).toEqual(['Not reimburse, but refund.']);
  });
});

@Injectable()
class SlowTools {
  readonly reasons: unknown[] = [];

  @Tool('Never ends by itself.')
  async wait(@ToolSignal() signal: AbortSignal) {
    this.reasons.push(await aborted(signal));
  }

  @Tool({ description: 'Neither, and says how long it may take.', timeout: 12 })
  async waitShortly(@ToolSignal() signal: AbortSignal) {
    this.reasons.push(await aborted(signal));
  }
}

describe('the time of a call', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each<[string, string, number, ToolPolicy, ToolPolicy]>([
    ['the module', 'wait', 11, { timeout: 11 }, {}],
    ['the tool', 'waitShortly', 12, { timeout: 11 }, {}],
    ['the run', 'waitShortly', 13, { timeout: 11 }, { timeout: 13 }],
  ])(
    'is limited by %s, and the method learns by its signal',
    async (_who, name, expected, toolDefaults, toolOverrides) => {
      const { app, step } = await start({ providers: [SlowTools], module: { toolDefaults } });
      const { model, result } = await step([{ tool: name }], { toolOverrides });
      expect(readings(model)).toEqual([`"${name}" timed out after ${expected} ms.`]);
      expect(app.get(SlowTools).reasons).toMatchObject([{ name: 'TimeoutError' }]);
      expect(result.status).toBe('completed');
    },
  );

  it('is thirty seconds if nobody says otherwise', async () => {
    const { call } = await start({ providers: [SlowTools] });
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    let content: unknown;
    const ended = call('wait').then((result) => {
      ({ content } = result);
    });
    await idle();
    await idle();
    await jest.advanceTimersByTimeAsync(29_999);
    expect(content).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    await ended;
    expect(content).toBe('"wait" timed out after 30000 ms.');
  });

  it('cannot be unlimited: an hour is the most', async () => {
    const toolDefaults = { timeout: 3_600_001 };
    await expect(start({ providers: [SlowTools], module: { toolDefaults } })).rejects.toThrow(
      'from 1 to 3600000',
    );
  });
});

@Injectable()
class FlakyTools {
  readonly attempts: string[] = [];

  @Tool({ description: 'Fails twice.', effect: 'read' })
  look() {
    return this.failTwice('look');
  }

  @Tool({ description: 'Fails twice, too.', effect: 'write' })
  pay() {
    return this.failTwice('pay');
  }

  private failTwice(name: string) {
    this.attempts.push(name);
    if (this.attempts.length < 3) throw new Error('The line is busy.');
    return 'found';
  }
}

describe('a call that failed', () => {
  const module = { toolDefaults: { retry: { times: 5, delay: 1 } } };

  it('is repeated if it may be, until it succeeds', async () => {
    const { app, step } = await start({ providers: [FlakyTools], module });
    const { results } = await step([{ tool: 'look' }]);
    expect(results).toMatchObject([{ status: 'success', value: 'found' }]);
    expect(app.get(FlakyTools).attempts).toEqual(['look', 'look', 'look']);
  });

  it('is not repeated if that could do something twice', async () => {
    const { app, step } = await start({ providers: [FlakyTools], module });
    expect((await step([{ tool: 'pay' }])).results).toMatchObject([{ status: 'error' }]);
    expect(app.get(FlakyTools).attempts).toEqual(['pay']);
  });

  it('is not repeated after its run was aborted', async () => {
    const started = await start({
      providers: [FlakyTools],
      module: { toolDefaults: { retry: { times: 5, delay: 20 } } },
    });
    const controller = new AbortController();
    started.events.subscribe(({ type }) => {
      if (type === 'tool-retried') controller.abort();
    });
    const { signal } = controller;
    const { status } = await started.call('look', {}, { signal });
    await sleep(30);
    expect(status).toBe('interrupted');
    expect(started.app.get(FlakyTools).attempts).toEqual(['look']);
  });
});
