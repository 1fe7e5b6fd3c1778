/** What `@CurrentToolCall()` gives, to the method and to guards and interceptors before it. */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger, UseGuards, UseInterceptors, type ExecutionContext } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import {
  AgentService,
  CurrentToolCall,
  Tool,
  ToolCall,
  ToolExecutionContext,
  ToolExecutor,
  ToolParam,
  type AgentToolsModuleOptions,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { map } from 'rxjs';
import { createApp } from '../support/app.js';
import { only, readAll } from '../loop/support/events.js';
import { sleep } from '../loop/support/time.js';

const seen: ToolCall[] = [];
const inGuard: ToolCall[] = [];
let failures = 0;
let late: () => void = () => undefined;

class Watching {
  @Tool('Looks at its call.')
  @UseGuards({
    canActivate: (context: ExecutionContext) => {
      inGuard.push(ToolExecutionContext.create(context).getCall());
      return true;
    },
  })
  look(@CurrentToolCall() call: ToolCall, @ToolParam('n', { required: false }) n: number = 0) {
    seen.push(call);
    return n;
  }

  @Tool({ name: 'shop/find', description: 'Looks at its call.' })
  find(@CurrentToolCall() call: ToolCall) {
    seen.push(call);
  }

  @Tool({ description: 'Fails at first.', idempotent: true, retry: { times: 2, delay: 1 } })
  flaky(@CurrentToolCall() call: ToolCall) {
    seen.push(call);
    if (failures-- > 0) throw new Error('not yet');
    return 'well';
  }

  @Tool({ description: 'Reports late.', timeout: 20 })
  async lingering(@CurrentToolCall() call: ToolCall) {
    seen.push(call);
    call.progress('in time');
    await sleep(60);
    call.progress('too late');
    late();
  }

  @Tool('Hands its call to others.')
  leaking(@CurrentToolCall() call: ToolCall) {
    seen.push(call);
    return 'done';
  }

  @Tool('Reports after its end.')
  @UseInterceptors({
    intercept: (context, next) =>
      next.handle().pipe(
        map((value) => {
          ToolExecutionContext.create(context).getCall().progress('from an interceptor');
          return value as string;
        }),
      ),
  })
  reported() {
    return 'done';
  }
}

const USAGE = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const ZEROS = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

let app: TestingModule;
afterEach(async () => {
  Logger.overrideLogger(false);
  await app.close();
  seen.length = 0;
  inGuard.length = 0;
});

async function start(options: AgentToolsModuleOptions = {}) {
  app = await createApp({ providers: [Watching] }, options);
  return { agent: app.get(AgentService), executor: app.get(ToolExecutor) };
}

describe('in a run', () => {
  it('has the id, the name and the step of its call', async () => {
    const model = scripted([
      [
        { tool: 'look', id: 'x1' },
        { tool: 'look', id: 'x2', arguments: { n: 2 } },
      ],
      { tool: 'shop_find', id: 'x3' },
      'Done.',
    ]);
    const { agent } = await start({ model });
    await agent.run('Go.');
    expect(seen.map(({ id, name, step }) => ({ id, name, step }))).toEqual([
      { id: 'x1', name: 'look', step: 1 },
      { id: 'x2', name: 'look', step: 1 },
      { id: 'x3', name: 'shop/find', step: 2 },
    ]);
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
    expect(seen[1].input).toEqual({ n: 2 });
  });

  it('is one object for the guard and the method', async () => {
    const { agent } = await start({ model: scripted([{ tool: 'look' }, 'Done.']) });
    await agent.run('Go.');
    expect(inGuard).toHaveLength(1);
    expect(seen[0]).toBe(inGuard[0]);
  });

  it('has one trace id in all steps, and another one in another run', async () => {
    const calls = [{ tool: 'look' }, { tool: 'look' }];
    const { agent } = await start({
      model: scripted([calls, { tool: 'look' }, 'Done.', { tool: 'look' }, 'Done.']),
    });
    await agent.run('Go.');
    await agent.run('Go again.');
    const ids = seen.map(({ traceId }) => traceId);
    expect(ids).toHaveLength(4);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{32}$/);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(ids[3]).not.toBe(ids[0]);
    expect(seen[0].traceId).toBe(ids[0]);
  });

  it('knows the tokens that were used so far', async () => {
    const usage: unknown[] = [];
    class Counting {
      @Tool('Counts.')
      count(@CurrentToolCall() call: ToolCall) {
        usage.push(call.usage);
      }
    }
    const step = { calls: [{ tool: 'count' }], usage: USAGE };
    const model = scripted([step, step, step, { text: 'Done.', usage: USAGE }]);
    app = await createApp({ providers: [Counting] }, { model });
    await app.get(AgentService).run('Go.');
    expect(usage).toEqual([
      USAGE,
      { inputTokens: 20, outputTokens: 10, totalTokens: 30 },
      { inputTokens: 30, outputTokens: 15, totalTokens: 45 },
    ]);
  });

  it('cannot change the count of the run', async () => {
    class Greedy {
      @Tool('Changes what it is given.')
      cheat(@CurrentToolCall() call: ToolCall) {
        Object.assign(call.usage, { totalTokens: 0 });
      }
    }
    const model = scripted([
      { calls: [{ tool: 'cheat' }], usage: USAGE },
      { text: 'Done.', usage: USAGE },
    ]);
    app = await createApp({ providers: [Greedy] }, { model });
    expect((await app.get(AgentService).run('Go.')).usage).toMatchObject({ totalTokens: 30 });
  });

  it('counts its attempts', async () => {
    failures = 2;
    const { agent } = await start({ model: scripted([{ tool: 'flaky' }, 'Done.']) });
    const { steps } = await agent.run('Go.');
    expect(steps[0].toolResults).toMatchObject([{ status: 'success', value: 'well' }]);
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(1);
  });

  it('has one signal for all its attempts', async () => {
    failures = 1;
    const { agent } = await start({ model: scripted([{ tool: 'flaky' }, 'Done.']) });
    await agent.run('Go.');
    expect(seen[0].signal).toBe(seen[1].signal);
    expect(seen[0].signal.aborted).toBe(false);
  });
});

describe('without an agent', () => {
  it('has step 0, a trace id of its own and no usage', async () => {
    const { executor } = await start();
    await executor.execute('look', {});
    await executor.execute('look', {});
    expect(seen).toMatchObject([
      { step: 0, attempt: 1, usage: ZEROS },
      { step: 0, attempt: 1, usage: ZEROS },
    ]);
    const [first, second] = seen.map(({ traceId }) => traceId);
    expect(first).toMatch(/^[\da-f]{32}$/);
    expect(second).toMatch(/^[\da-f]{32}$/);
    expect(first).not.toBe(second);
    expect(seen[0].id).not.toBe(seen[1].id);
    expect(seen[0].run.agent).toBeUndefined();
  });

  it('has a signal that aborts with the one of the caller', async () => {
    const { executor } = await start();
    const controller = new AbortController();
    const running = executor.execute('lingering', {}, { signal: controller.signal });
    await sleep(1);
    const reason = new Error('enough');
    const { signal } = seen[0];
    controller.abort(reason);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBe(reason);
    const ended = new Promise<void>((resolve) => {
      late = resolve;
    });
    await Promise.all([running, ended]);
  });
});

describe('progress', () => {
  it('of an interceptor is told', async () => {
    const { agent } = await start({ model: scripted([{ tool: 'reported' }, 'Done.']) });
    const { events } = await readAll(agent.stream('Go.'));
    expect(only(events, 'tool-progress').map(({ value }) => value)).toEqual([
      'from an interceptor',
    ]);
  });

  it('after the end of the call is ignored', async () => {
    const model = scripted([{ tool: 'leaking' }, { tool: 'look' }, 'Done.']);
    const { agent } = await start({ model });
    const values: unknown[] = [];
    for await (const event of agent.stream('Go.')) {
      if (event.type === 'tool-progress') values.push(event.value);
      if (event.type === 'tool-result') seen[0].progress('too late');
    }
    seen[0].progress('much too late');
    expect(seen).toHaveLength(2);
    expect(values).toEqual([]);
  });

  it('after a timeout is ignored, while the run goes on', async () => {
    const ended = new Promise<void>((resolve) => {
      late = resolve;
    });
    const model = scripted([{ tool: 'lingering' }, { tool: 'look' }, 'Done.']);
    const { agent } = await start({ model });
    const values: unknown[] = [];
    for await (const event of agent.stream('Go.')) {
      if (event.type === 'tool-progress') values.push(event.value);
      if (event.type === 'tool-result' && event.name === 'lingering') await ended;
    }
    expect(values).toEqual(['in time']);
  });

  it('is nobody’s in a call without an agent', async () => {
    const { executor } = await start();
    expect((await executor.execute('reported', {})).value).toBe('done');
  });
});

describe('the logger', () => {
  it('writes to the log of the application with the tool, the run and the call', async () => {
    const { agent } = await start({
      model: scripted([{ tool: 'look', id: 'x1' }, 'Done.']),
    });
    const { runId } = await agent.run('Go.');
    const log = { log: jest.fn(), warn: jest.fn(), error: jest.fn() };
    Logger.overrideLogger(log);
    const { logger } = seen[0];
    expect(logger).toBeInstanceOf(Logger);
    logger.log('packed');
    logger.warn('half empty');
    const context = `look run=${runId} call=x1`;
    expect(log.log.mock.calls).toEqual([['packed', context]]);
    expect(log.warn.mock.calls).toEqual([['half empty', context]]);
  });

  it('keeps to one line, whatever a model takes for an id', async () => {
    const id = `x1\n[Nest] 1 - ERROR forged\u001b[2J${'x'.repeat(1_000)}`;
    const { agent } = await start({ model: scripted([{ tool: 'look', id }, 'Done.']) });
    await agent.run('Go.');
    const log = { log: jest.fn(), warn: jest.fn(), error: jest.fn() };
    Logger.overrideLogger(log);
    seen[0].logger.log('packed');
    const [[, context]] = log.log.mock.calls as [[string, string]];
    expect(context).not.toMatch(/\p{Cc}/u);
    expect(context.length).toBeLessThan(300);
  });
});
