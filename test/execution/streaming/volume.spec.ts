/** Many values, and observers that fail. */
import { describe, expect, it } from '@jest/globals';
import { AgentEvents } from 'nestjs-agent-tools';
import type { ToolMiddleware } from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { map, range } from 'rxjs';
import { startAgent } from '../../loop/support/agent.js';
import { only, readAll } from '../../loop/support/events.js';
import { sleep } from '../../loop/support/time.js';
import { letters } from './sources.js';
import { hostOf, intercepting, start, watch } from './watch.js';

const MANY = 20_000;

function* count(to: number) {
  for (let index = 1; index <= to; index++) yield index;
}

async function* countLater(to: number) {
  for (let index = 1; index <= to; index++) yield await Promise.resolve(index);
}

const FORMS: [string, (to: number) => unknown][] = [
  ['a generator', count],
  ['an async generator', countLater],
];

describe.each(FORMS)(`${MANY} values of %s`, (_form, open) => {
  const interceptors = [intercepting(map((value) => value))];

  it('reach a reader, in their order, without piling up', async () => {
    const { agent } = await start(() => open(MANY), { timeout: 60_000, interceptors });
    let expected = 0;
    let most = 0;
    global.gc?.();
    const before = process.memoryUsage().heapUsed;
    for await (const event of agent.stream('Go.')) {
      if (event.type !== 'tool-progress') continue;
      expected++;
      if (event.value !== expected) break;
      if (expected % 4_000 !== 0) continue;
      global.gc?.();
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    }
    expect(expected).toBe(MANY);
    expect(most).toBeLessThan(4_000_000);
  }, 60_000);

  it('take ten times as long as a tenth of them', async () => {
    let to = 0;
    const { executor } = await start(() => open(to), { timeout: 60_000, interceptors });
    const time = async (count: number) => {
      to = count;
      const started = performance.now();
      expect((await executor.execute('watch', {})).value).toBe(count);
      return performance.now() - started;
    };
    await time(MANY / 10);
    const few = Math.min(await time(MANY / 10), await time(MANY / 10));
    const many = Math.min(await time(MANY), await time(MANY));
    // Of a quadratic cost it would be a hundred times.
    expect(many / few).toBeLessThan(30);
  }, 60_000);
});

describe('many values at once of an Observable', () => {
  it('all reach the reader', async () => {
    const { progress, result } = await watch(() => range(1, 20_000));
    expect(progress).toHaveLength(20_000);
    expect(progress.at(-1)).toBe(20_000);
    expect(result.value).toBe(20_000);
  });
});

describe('while a generator that never waits is read', () => {
  it.each(FORMS)('timers run: %s', async (_form, open) => {
    const { executor } = await start(() => open(Infinity), { timeout: 80 });
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const { content } = await executor.execute('watch', {});
    clearInterval(timer);
    expect(content).toContain('timed out after 80 ms');
    expect(ticks).toBeGreaterThan(3);
  });
});

describe('observers of progress', () => {
  const fail = () => {
    throw new Error('observer');
  };

  it('that throw do not matter', async () => {
    const model = scripted([{ tool: 'watch' }, 'Done.']);
    const { agent, app } = await startAgent([hostOf(letters)], { model });
    const seen: unknown[] = [];
    const events = app.get(AgentEvents);
    const subscriptions = [
      events.subscribe(({ type }) => {
        if (type === 'tool-progress') fail();
      }),
      events.subscribe((event) => {
        if (event.type === 'tool-progress') seen.push(event.value);
      }),
    ];
    const run = await readAll(agent.stream('Go.'));
    for (const subscription of subscriptions) subscription.unsubscribe();
    expect(only(run.events, 'tool-result')).toMatchObject([{ status: 'success', value: 'c' }]);
    expect(only(run.events, 'tool-progress')).toHaveLength(3);
    expect(seen).toEqual(['a', 'b', 'c']);
    // What rxjs reports later would be an uncaught error.
    await sleep(5);
  });

  it('that are a middleware and throw keep the value back, and nothing else', async () => {
    class Picky implements ToolMiddleware {
      progress(value: unknown) {
        return value === 'b' ? fail() : `<${value as string}>`;
      }
    }
    const { progress, result } = await watch(letters, { module: { toolMiddleware: [Picky] } });
    expect(progress).toEqual(['<a>', '<c>']);
    expect(result).toMatchObject({ status: 'success', value: 'c' });
    await sleep(5);
  });
});
