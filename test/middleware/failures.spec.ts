import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  AgentEvents,
  AgentService,
  ToolFailedException,
  ToolRetryException,
  type ToolCall,
  type ToolCallResult,
  type ToolMiddleware,
} from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { middleware, startWith } from './support/start.js';
import { given, StockTools } from './support/tools.js';

const ITEM = { name: 'desk', count: 2 };

beforeEach(() => {
  given.length = 0;
});

afterEach(() => {
  jest.restoreAllMocks();
});

async function call(methods: ToolMiddleware, name: string, args: unknown = ITEM) {
  const app = await startWith([middleware(methods)], [StockTools]);
  return callTool(app, name, args);
}

const WAYS: [string, (error: Error) => () => unknown][] = [
  [
    'at once',
    (error) => () => {
      throw error;
    },
  ],
  ['later', (error) => () => Promise.reject(error)],
];

describe.each(WAYS)('when a middleware throws %s', (_when, throwing) => {
  it('on the input, the method does not run and the model reads no details', async () => {
    const { status, content, error } = await call({ input: throwing(new Error('no key')) }, 'add');
    expect(status).toBe('error');
    expect(content).not.toContain('no key');
    expect(error).toEqual(new Error('no key'));
    expect(given).toEqual([]);
  });

  it('on the output, the result is not shown', async () => {
    const { status, content, value } = await call({ output: throwing(new Error('x')) }, 'add');
    expect(status).toBe('error');
    expect(content).not.toContain('desk');
    expect(value).toBeUndefined();
    expect(given).toEqual([ITEM]);
  });

  it('what is meant for the model, the model reads it', async () => {
    const failed = await call({ input: throwing(new ToolFailedException('Closed.')) }, 'add');
    expect(failed.content).toBe('Closed.');
    const retry = await call({ output: throwing(new ToolRetryException('Too many.')) }, 'add');
    expect(retry.content).toContain('Too many.');
    expect(given).toEqual([ITEM]);
  });
});

describe('when a middleware is asked about progress', () => {
  async function progressOf(progress: ToolMiddleware['progress']) {
    const app = await startWith([middleware({ progress })], [StockTools]);
    const values: unknown[] = [];
    app.get(AgentEvents).subscribe((event) => {
      if (event.type === 'tool-progress') values.push(event.value);
    });
    const { status, value } = await callTool(app, 'pack', {});
    return { values, status, value };
  }

  it('reports what it makes of it', async () => {
    const { values } = await progressOf((value) => (value as number) * 10);
    expect(values).toEqual([10, 20, 30]);
  });

  it('reports the value as it is if it gives nothing', async () => {
    const { values } = await progressOf(() => undefined);
    expect(values).toEqual([1, 2, 3]);
  });

  it('reports null, which is something', async () => {
    const { values } = await progressOf(() => null);
    expect(values).toEqual([null, null, null]);
  });

  it('does not report a value on which it throws', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const progressed = await progressOf((value) => {
      if (value === 2) throw new Error('secret');
    });
    expect(progressed).toEqual({ values: [1, 3], status: 'success', value: 'packed' });
    expect(logged).toHaveBeenCalledTimes(1);
  });

  it('does not report a value for which it gives a promise, and leaves no rejection', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const progressed = await progressOf(() => Promise.reject(new Error('late')));
    expect(progressed).toEqual({ values: [], status: 'success', value: 'packed' });
  });

  it('changes what the consumer of a stream is told', async () => {
    const model = scripted([{ tool: 'pack' }, 'Packed.']);
    const hide = middleware({ progress: () => 'hidden' });
    const app = await startWith([hide], [StockTools], { model });
    const values: unknown[] = [];
    for await (const event of app.get(AgentService).stream('Pack.')) {
      if (event.type === 'tool-progress') values.push(event.value);
    }
    expect(values).toEqual(['hidden', 'hidden', 'hidden']);
  });
});

describe('when a call has ended', () => {
  async function settledOf(name: string, args: unknown = {}) {
    const told: { result: ToolCallResult; call: ToolCall }[] = [];
    const result = await call(
      { settled: (one, ofCall) => void told.push({ result: one, call: ofCall }) },
      name,
      args,
    );
    return { told, result };
  }

  it.each<[string, unknown, string]>([
    ['add', ITEM, 'success'],
    ['list', {}, 'success'],
    ['remove', {}, 'denied'],
    ['fail', {}, 'error'],
    ['wait', {}, 'error'],
    ['add', { name: 'desk', count: -1 }, 'error'],
  ])('tells the middleware once, for "%s" with %j: %s', async (name, args, status) => {
    const { told, result } = await settledOf(name, args);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(told).toHaveLength(1);
    expect(told[0].result).toBe(result);
    expect(told[0].result.status).toBe(status);
    expect(told[0].call.id).toBe(result.callId);
  });

  it('tells once of a repeated call, with its last attempt', async () => {
    const { told } = await settledOf('ask');
    expect(given).toEqual(['ask', 'ask']);
    expect(told.map(({ call: { attempt } }) => attempt)).toEqual([2]);
  });

  it.each<[string, unknown]>([
    ['search', {}],
    ['add', 'certainly!'],
  ])('says nothing of a call that was never begun: "%s" with %j', async (name, args) => {
    const { told, result } = await settledOf(name, args);
    expect(result.status).toBe('error');
    expect(told).toEqual([]);
  });

  it('logs what it throws, tells the others, and keeps the result', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    let told = 0;
    const broken = middleware({
      settled: () => {
        throw new Error('no disk');
      },
    });
    const counting = middleware({ settled: () => void told++ });
    const app = await startWith([broken, counting, broken], [StockTools]);
    expect((await callTool(app, 'add', ITEM)).status).toBe('success');
    expect(told).toBe(1);
    expect(logged.mock.calls.map(([text]) => String(text))).toEqual(
      Array(2).fill('A middleware failed after "add": no disk'),
    );
  });

  it('logs that an asynchronous one rejected, and leaves no unhandled rejection', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', onUnhandled);
    const late: () => unknown = () => Promise.reject(new Error('no disk'));
    const { status } = await call({ settled: late }, 'add');
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('unhandledRejection', onUnhandled);
    expect(status).toBe('success');
    expect(unhandled).toEqual([]);
    expect(logged).toHaveBeenCalledTimes(1);
  });
});
