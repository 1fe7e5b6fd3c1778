import { describe, expect, it } from '@jest/globals';
import type { AgentToolsModuleOptions, ToolConcurrency } from 'nestjs-agent-tools';
import { Random } from '../loop/support/random.js';
import { sleep } from '../loop/support/time.js';
import { Held, turns } from './support/held.js';
import { start, type Started } from './support/start.js';
import { toolOf, type Work } from './support/tool-of.js';

async function startTwo(
  module: AgentToolsModuleOptions,
  own: { work?: ToolConcurrency; other?: ToolConcurrency } = {},
) {
  const work = new Held();
  const other = new Held();
  const started = await start({
    providers: [
      toolOf({ name: 'work', concurrency: own.work }, work.work),
      toolOf({ name: 'other', concurrency: own.other }, other.work),
    ],
    module,
  });
  return { work, other, ...started };
}

const four = (call: Started['call'], name: string) => [1, 2, 3, 4].map((n) => call(name, { n }));

describe('`toolDefaults.concurrency`', () => {
  it('is of each tool, not of all together', async () => {
    const { work, other, call } = await startTwo({ toolDefaults: { concurrency: 2 } });
    const results = [...four(call, 'work'), ...four(call, 'other')];
    await turns();
    expect([work.now, other.now]).toEqual([2, 2]);
    await work.releaseAll();
    await other.releaseAll();
    await Promise.all(results);
    expect([work.most, other.most]).toEqual([2, 2]);
  });
});

describe('`toolConcurrency`', () => {
  it('is of all tools together, in the order of their calls', async () => {
    const { work, other, call } = await startTwo({ toolConcurrency: 3 });
    const results = [...four(call, 'work'), ...four(call, 'other')];
    await turns();
    expect([work.now, other.now]).toEqual([3, 0]);
    await work.release(2);
    expect([work.now, other.now]).toEqual([2, 1]);
    while (work.now + other.now > 0) {
      await work.release(1);
      await other.release(1);
      expect(work.now + other.now).toBeLessThanOrEqual(3);
    }
    expect((await Promise.all(results)).map(({ status }) => status)).toEqual(
      Array(8).fill('success'),
    );
  });

  it('has a queue of its own, and a full one is an error result at once', async () => {
    const { work, other, call } = await startTwo({ toolConcurrency: { limit: 1, queue: 1 } });
    const accepted = [call('work', { n: 1 }), call('other', { n: 2 })];
    expect((await call('other', { n: 3 })).content).toContain('"other" is busy');
    await work.release();
    await other.release();
    const statuses = (await Promise.all(accepted)).map(({ status }) => status);
    expect(statuses).toEqual(['success', 'success']);
    expect(other.begun).toEqual([2]);
  });
});

describe('both limits', () => {
  it('hold together', async () => {
    const { work, other, call } = await startTwo({ toolConcurrency: 3 }, { work: 2 });
    const results = [...four(call, 'work'), ...four(call, 'other')];
    await turns();
    expect([work.now, other.now]).toEqual([2, 1]);
    while (work.now + other.now > 0) {
      await work.release(1);
      expect(work.now).toBeLessThanOrEqual(2);
      expect(work.now + other.now).toBeLessThanOrEqual(3);
      await other.release(1);
      expect(work.now + other.now).toBeLessThanOrEqual(3);
    }
    const statuses = (await Promise.all(results)).map(({ status }) => status);
    expect(statuses).toEqual(Array(8).fill('success'));
  });

  it('give the place of the one back if the other has none', async () => {
    const { work, other, call } = await startTwo(
      { toolConcurrency: { limit: 1, queue: 0 } },
      { work: { limit: 1, queue: 0 } },
    );
    const first = call('other', { n: 1 });
    expect((await call('work', { n: 2 })).content).toContain('busy');
    await other.releaseAll();
    await first;
    const third = call('work', { n: 3 });
    await turns();
    expect(work.begun).toEqual([3]);
    await work.releaseAll();
    expect((await third).status).toBe('success');
  });

  it('give both places of a call that ends to the one that waited for it', async () => {
    const { work, other, call } = await startTwo(
      { toolConcurrency: { limit: 2, queue: 0 }, toolDefaults: { timeout: 500 } },
      { work: 1 },
    );
    const first = call('work', { n: 1 });
    const second = call('work', { n: 2 });
    await turns();
    const third = call('other', { n: 3 });
    await turns();
    expect([work.now, other.now]).toEqual([1, 1]);
    await work.release();
    await turns();
    expect(work.begun).toEqual([1, 2]);
    await other.releaseAll();
    await work.releaseAll();
    const results = await Promise.all([first, second, third]);
    expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
  });

  it('let the next one of a tool run when one ends, though no call may wait', async () => {
    const { work, call } = await startTwo(
      { toolConcurrency: { limit: 1, queue: 0 }, toolDefaults: { timeout: 500 } },
      { work: { limit: 1, queue: 5 } },
    );
    const first = call('work', { n: 1 });
    const second = call('work', { n: 2 });
    await turns();
    await work.release();
    await first;
    await turns();
    const begun = [...work.begun];
    await work.releaseAll();
    expect(begun).toEqual([1, 2]);
    expect((await second).status).toBe('success');
  });
});

interface Kind {
  readonly name: string;
  now: number;
  most: number;
}

/** Works in one of several ways, of which some end badly. */
function unreliable(kind: Kind, all: Kind, random: Random): Work {
  return async (_input, { signal }) => {
    for (const one of [kind, all]) one.most = Math.max(one.most, ++one.now);
    let isOver = false;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      kind.now--;
      all.now--;
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      if (random.chance(0.3)) return 'at once';
      if (random.chance(0.2)) throw new Error('at once');
      if (random.chance(0.05)) await new Promise((resolve) => (signal.onabort = resolve));
      await sleep(random.integer(0, 2));
      if (random.chance(0.3)) throw new Error('later');
      return 'later';
    } finally {
      leave();
    }
  };
}

describe.each([1, 2, 3])('after 1,000 calls that end in all ways (%i)', (seed) => {
  it('the limits were kept, every call has ended, and all places are free', async () => {
    const random = new Random(seed);
    const all: Kind = { name: 'all', now: 0, most: 0 };
    const kinds = [0, 1].map((n): Kind => ({ name: `tool${n}`, now: 0, most: 0 }));
    const limits: ToolConcurrency[] = [3, { limit: 2, queue: 4 }];
    const held = new Held();
    let isHolding = false;
    const providers = kinds.map((kind, n) => {
      const work = unreliable(kind, all, random);
      return toolOf({ name: kind.name, concurrency: limits[n], timeout: 60 }, (input, call) =>
        isHolding ? held.work(input, call) : work(input, call),
      );
    });
    const { call, step } = await start({ providers, module: { toolConcurrency: 4 } });
    const statuses = new Set<string>();
    const caller = async (count: number) => {
      for (let left = count; left > 0; left--) {
        const { name } = random.pick(kinds);
        const signal = random.chance(0.3) ? AbortSignal.timeout(random.integer(1, 12)) : undefined;
        if (random.chance(0.1)) {
          for (const { status } of await step({ tool: name }, { toolOverrides: { timeout: 3 } }))
            statuses.add(status);
        } else statuses.add((await call(name, {}, { signal })).status);
      }
    };
    await Promise.all(Array.from({ length: 20 }, () => caller(50)));
    expect([...statuses].toSorted()).toEqual(['error', 'interrupted', 'success']);
    expect(kinds.map(({ most }) => most)).toEqual([3, 2]);
    expect(all.most).toBe(4);

    isHolding = true;
    const after = [0, 0, 0, 0, 1, 1].map((n) => call(`tool${n}`, { n }));
    await turns();
    expect(held.begun).toEqual([0, 0, 0, 1]);
    await held.releaseAll();
    expect((await Promise.all(after)).map(({ status }) => status)).toEqual(
      Array(6).fill('success'),
    );
  }, 20_000);
});
