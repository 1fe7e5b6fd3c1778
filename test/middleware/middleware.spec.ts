import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CallHandler,
  UseInterceptors,
  UseFilters,
  Catch,
  type ExceptionFilter,
  Injectable,
  type ExecutionContext,
} from '@nestjs/common';
import { map } from 'rxjs';
import {
  AgentEvents,
  Tool,
  ToolCall,
  ToolParam,
  type ToolMiddleware,
  ToolResult,
} from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { middleware, startWith } from './support/start.js';
import { given, StockTools } from './support/tools.js';

const ITEM = { name: 'desk', count: 2 };

beforeEach(() => {
  given.length = 0;
});

async function call(methods: ToolMiddleware[], name: string, args: unknown = ITEM) {
  const app = await startWith(methods.map(middleware), [StockTools]);
  return callTool(app, name, args);
}

/** Appends its name to what passes it. */
const tracing = (name: string, later: boolean): ToolMiddleware => {
  const mark = (value: unknown) => {
    const item = value as { name: string };
    const marked = { ...item, name: `${item.name} ${name}` };
    return later ? Promise.resolve(marked) : marked;
  };
  return { input: mark, output: mark };
};

describe('when there are several middleware', () => {
  it.each([
    ['at once', false, false],
    ['later', true, true],
    ['one later', true, false],
    ['the other later', false, true],
  ])('the first sees the input first and the output last, %s', async (_when, first, second) => {
    const { value } = await call([tracing('a', first), tracing('b', second)], 'add');
    expect(given).toEqual([{ name: 'desk a b', count: 2 }]);
    expect(value).toEqual({ name: 'desk a b b a', count: 2, added: true });
  });

  it('hands progress through in the order of outputs', async () => {
    const through = (name: string): ToolMiddleware => ({
      progress: (value) => `${String(value)}${name}`,
    });
    const app = await startWith([through('a'), through('b')].map(middleware), [StockTools]);
    const values: unknown[] = [];
    app.get(AgentEvents).subscribe((event) => {
      if (event.type === 'tool-progress') values.push(event.value);
    });
    await callTool(app, 'pack', {});
    expect(values).toEqual(['1ba', '2ba', '3ba']);
  });

  it('tells all of them how a call ended', async () => {
    const told: string[] = [];
    const telling = (name: string): ToolMiddleware => ({ settled: () => void told.push(name) });
    await call([telling('a'), telling('b')], 'add');
    expect(told.toSorted()).toEqual(['a', 'b']);
  });
});

describe('when a middleware gives nothing', () => {
  it.each([
    ['at once', () => undefined],
    ['later', () => Promise.resolve()],
  ])('%s, the value stays', async (_when, nothing) => {
    const seen: unknown[] = [];
    const silent = { input: nothing, output: nothing };
    const last = { output: (value: unknown) => void seen.push(value) };
    const { value } = await call([last, silent], 'add');
    expect(given).toEqual([ITEM]);
    expect(value).toEqual({ ...ITEM, added: true });
    expect(seen).toEqual([value]);
  });

  it('keeps null, which is something', async () => {
    const { value, content } = await call([{ output: () => null }], 'add');
    expect([value, content]).toEqual([null, 'null']);
  });

  it('may have no methods at all', async () => {
    expect((await call([{}], 'add')).status).toBe('success');
  });
});

describe('what a middleware makes of the input', () => {
  it('is validated afterwards', async () => {
    const { status } = await call([{ input: () => ({ name: 'chair', count: 9 }) }], 'add', {
      name: 'desk',
      count: -1,
    });
    expect(status).toBe('success');
    expect(given).toEqual([{ name: 'chair', count: 9 }]);
  });

  it.each([
    ['at once', () => ({ name: 'desk', count: 'many' })],
    ['later', () => Promise.resolve({ name: 'desk', count: 'many' })],
    ['as no object', () => 'desk'],
  ])('is an arguments error if it does not fit, %s', async (_when, input) => {
    const { status, content, error } = await call([{ input }], 'add');
    expect(status).toBe('error');
    expect((error as Error).name).toBe('ToolArgumentsException');
    expect(content).toEqual(expect.any(String));
    expect(given).toEqual([]);
  });

  it('begins with what the model sent, checked for being an object only', async () => {
    const seen: unknown[] = [];
    await call([{ input: (input) => void seen.push(input) }], 'add', { name: 'desk', count: -1 });
    expect(seen).toEqual([{ name: 'desk', count: -1 }]);
    expect(given).toEqual([]);
  });

  it('is not asked about a call that a guard denies', async () => {
    const seen: unknown[] = [];
    const { status } = await call([{ input: (input) => void seen.push(input) }], 'remove', {});
    expect(status).toBe('denied');
    expect(seen).toEqual([]);
    expect(given).toEqual([]);
  });

  it('is what approval is asked about', async () => {
    const asked: unknown[] = [];
    @Injectable()
    class Approved {
      @Tool({
        description: 'Anything.',
        approve: ({ input }) => asked.push(input) > 0,
      })
      run(@ToolParam('name') name: string) {
        given.push(name);
      }
    }
    const rename = middleware({ input: () => ({ name: 'chair' }) });
    const app = await startWith([rename], [Approved]);
    expect((await callTool(app, 'run', { name: 'desk' })).status).toBe('success');
    expect(asked).toEqual([{ name: 'chair' }]);
    expect(given).toEqual(['chair']);
  });

  it('begins anew with each attempt of a repeated call', async () => {
    const seen: unknown[] = [];
    const counting = { input: (input: unknown) => void seen.push(input) };
    const { status } = await call([counting], 'ask', {});
    expect(status).toBe('error');
    expect(given).toEqual(['ask', 'ask']);
    expect(seen).toEqual([{}, {}]);
  });

  it('is asked once for each call that a guard allows, with the call', async () => {
    const calls: ToolCall[] = [];
    await call([{ input: (_input, one) => void calls.push(one) }], 'add');
    expect(calls).toHaveLength(1);
    expect(calls[0]).toBeInstanceOf(ToolCall);
    expect(calls[0].name).toBe('add');
  });
});

describe('what a middleware makes of the output', () => {
  it('is checked by the output schema afterwards', async () => {
    const good = await call([{ output: () => ({ count: 8 }) }], 'count', { name: 'desk' });
    expect(good.value).toEqual({ count: 8 });
    const bad = await call([{ output: () => ({ count: 'many' }) }], 'count', { name: 'desk' });
    expect(bad.status).toBe('error');
    expect((bad.error as Error).name).toBe('ToolOutputException');
    expect(given).toEqual(['desk', 'desk']);
  });

  it('is converted for the model afterwards', async () => {
    const { value, content } = await call([{ output: () => ({ n: 10n }) }], 'add');
    expect(value).toEqual({ n: 10n });
    expect(content).toBe('{"n":"10"}');
  });

  it('may be a ToolResult', async () => {
    const output = () => new ToolResult('short', { value: 1 });
    const { value, content } = await call([{ output }], 'add');
    expect([value, content]).toEqual([1, 'short']);
  });

  it('begins with what interceptors made of it', async () => {
    const seen: unknown[] = [];
    @Injectable()
    class Wrapped {
      @Tool('Anything.')
      @UseInterceptors({
        intercept: (_context: ExecutionContext, next: CallHandler) =>
          next.handle().pipe(map((value) => `${String(value)} intercepted`)),
      })
      run() {
        return 'ran';
      }
    }
    const app = await startWith(
      [middleware({ output: (value) => void seen.push(value) })],
      [Wrapped],
    );
    expect((await callTool(app, 'run', {})).value).toBe('ran intercepted');
    expect(seen).toEqual(['ran intercepted']);
  });

  it('is what a filter answers in place of an error', async () => {
    const seen: unknown[] = [];
    @Catch()
    class Answering implements ExceptionFilter {
      catch() {
        return 'answered';
      }
    }
    @Injectable()
    class Filtered {
      @Tool('Anything.')
      @UseFilters(Answering)
      run() {
        throw new Error('broken');
      }
    }
    const watching = middleware({ output: (value) => void seen.push(value) });
    const app = await startWith([watching], [Filtered]);
    expect((await callTool(app, 'run', {})).value).toBe('answered');
    expect(seen).toEqual(['answered']);
  });

  it('is the value that sequences end with', async () => {
    const seen: unknown[] = [];
    const { value } = await call([{ output: (one) => void seen.push(one) }], 'list', {});
    expect(value).toBe('all');
    expect(seen).toEqual(['all']);
  });

  it('is what events tell', async () => {
    const app = await startWith([middleware({ output: () => 'changed' })], [StockTools]);
    const outputs: unknown[] = [];
    app.get(AgentEvents).subscribe((event) => {
      if (event.type === 'tool-output') outputs.push(event.value);
    });
    await callTool(app, 'add', ITEM);
    expect(outputs).toEqual(['changed']);
  });

  it('is not asked for when the tool failed', async () => {
    const seen: unknown[] = [];
    const { status } = await call([{ output: (value) => void seen.push(value) }], 'fail', {});
    expect(status).toBe('error');
    expect(seen).toEqual([]);
  });
});
