/**
 * Decorators that wrap the method, in every order with `@Tool()` and with what decides who may call it:
 * the guard holds or the application does not start.
 */
import { describe, expect, it } from '@jest/globals';
import { Catch, UseFilters, UseGuards, UseInterceptors, UsePipes } from '@nestjs/common';
import {
  ADMIN,
  hostWith,
  labelOf,
  MARKS,
  NOBODY,
  permutations,
  TOOL,
  tryHost,
  type Mark,
  type Named,
} from './wrapping/hosts.js';
import { Bound, Cached, COPYING, NAIVE, PROXIED, runs, WRAPPERS } from './wrapping/wrappers.js';

/** What becomes of a call that must be denied. */
function tryAsNobody(order: readonly Named[], { guards }: Pick<Mark, 'guards'>) {
  return tryHost(hostWith(order, guards), async ({ call }) => {
    const { status } = await call(NOBODY);
    return status === 'denied' && runs.method + runs.wrapper === 0 ? 'denied' : 'ran unguarded';
  });
}

describe.each(MARKS)('when a wrapped tool has $name', (mark) => {
  const orders = WRAPPERS.flatMap((wrapper) =>
    permutations([TOOL, mark, wrapper]).map((order) => ({
      label: labelOf(order),
      order,
      // What stands above the wrapper is on the function that Nest gets to see.
      isKept: wrapper.copies || order.indexOf(mark) < order.indexOf(wrapper),
    })),
  );
  const [kept, lost] = [true, false].map((is) => orders.filter(({ isKept }) => isKept === is));

  it.each(kept)('as $label, the call is denied and nothing runs', async ({ order }) => {
    expect(await tryAsNobody(order, mark)).toBe('denied');
  });

  it.each(kept)('as $label, one who may call it gets through the wrapper', async ({ order }) => {
    const outcome = await tryHost(hostWith(order, mark.guards), ({ call }) => call(ADMIN));
    expect(outcome).toMatchObject({ status: 'success', content: 'ran' });
    expect(runs).toEqual({ wrapper: 1, method: 1 });
  });

  it.each(lost)('as $label, the application does not start', async ({ order }) => {
    expect(await tryAsNobody(order, mark)).toBe('refused');
  });
});

describe('when two decorators wrap the tool', () => {
  const pairs = [
    [NAIVE, NAIVE],
    [NAIVE, COPYING],
    [NAIVE, PROXIED],
    [COPYING, COPYING],
    [COPYING, PROXIED],
    [PROXIED, PROXIED],
  ];

  /**
   * What cannot be seen, from the outermost to the innermost: the function that has the metadata is
   * neither the one as it was written, nor one that `@Tool()` saw, nor the final one, and nothing leads
   * to it. docs/enhancers.md says so.
   */
  const UNDETECTABLE = [
    '@Tool @Naive MARK @Naive',
    '@Naive MARK @Naive @Tool',
    '@Tool @Naive MARK @Copying',
    '@Naive MARK @Copying @Tool',
    '@Tool @Naive MARK @Proxied',
    '@Naive MARK @Proxied @Tool',
  ];

  it.each(MARKS)(
    'with $name, it is denied or refused in every order but those that are documented',
    async (mark) => {
      const outcomes = new Map<string, string>();
      for (const order of pairs.flatMap((pair) => permutations([TOOL, mark, ...pair]))) {
        const label = labelOf(order).replace(mark.name, 'MARK');
        if (!outcomes.has(label)) outcomes.set(label, await tryAsNobody(order, mark));
      }
      const labelsOf = (wanted: string) =>
        [...outcomes].filter(([, outcome]) => outcome === wanted).map(([label]) => label);
      expect(labelsOf('ran unguarded').toSorted()).toEqual(UNDETECTABLE.toSorted());
      expect(outcomes.size).toBe(3 * 12 + 3 * 24);
      // Neither of the two that copy loses anything.
      expect(labelsOf('refused').filter((label) => !label.includes('@Naive'))).toEqual([]);
    },
    30_000,
  );

  it.each(
    permutations([TOOL, NAIVE, PROXIED, COPYING]).map((order) => ({
      order,
      label: labelOf(order),
    })),
  )(
    'as $label, without guards, the tool is found and runs through all of them',
    async ({ order }) => {
      const outcome = await tryHost(hostWith(order), ({ call }) => call(NOBODY));
      expect(outcome).toMatchObject({ status: 'success', content: 'ran' });
      expect(runs).toEqual({ wrapper: 3, method: 1 });
    },
  );
});

describe('when a wrapper answers from a cache', () => {
  it.each(
    permutations([TOOL, MARKS[0], { name: '@Cached', decorator: Cached }]).map((order) => ({
      order,
      label: labelOf(order),
    })),
  )('as $label, guards are asked before the cache is', async ({ order }) => {
    await tryHost(hostWith(order), async ({ call }) => {
      expect((await call(ADMIN)).content).toBe('ran');
      expect((await call(ADMIN)).content).toBe('ran');
      expect(runs).toEqual({ wrapper: 2, method: 1 });
      expect((await call(NOBODY)).status).toBe('denied');
      expect(runs).toEqual({ wrapper: 2, method: 1 });
    });
    expect.assertions(5);
  });
});

describe('when guards stand above and below a wrapper', () => {
  const asked: string[] = [];
  const asking = (name: string): Named => ({
    name,
    decorator: UseGuards({ canActivate: () => asked.push(name) > 0 }),
  });

  it('that copies metadata, both are asked', async () => {
    asked.length = 0;
    const order = [TOOL, asking('above'), COPYING, asking('below')];
    expect(await tryHost(hostWith(order), ({ call }) => call(NOBODY))).toMatchObject({
      status: 'success',
    });
    expect(asked.toSorted()).toEqual(['above', 'below']);
  });

  it.each(permutations([TOOL, asking('above')]))(
    'that does not, the application does not start',
    async (...outer) => {
      const order = [...outer, NAIVE, asking('below')];
      expect(await tryAsNobody(order, { guards: [] })).toBe('refused');
    },
  );
});

describe('when a decorator replaces the method by a property that binds it', () => {
  const bound: Named = { name: '@Bound', decorator: Bound };

  it.each(
    [
      [bound, TOOL, MARKS[0]],
      [bound, MARKS[0], TOOL],
      [bound, TOOL],
    ].map((order) => ({
      order,
      label: labelOf(order),
    })),
  )('as $label, the application does not start', async ({ order }) => {
    expect(await tryAsNobody(order, { guards: [] })).toBe('refused');
  });
});

describe('when a wrapper loses enhancers of another kind', () => {
  @Catch()
  class AnyFilter {
    catch() {}
  }
  const kinds: Named[] = [
    {
      name: '@UseInterceptors',
      decorator: UseInterceptors({ intercept: (_, next) => next.handle() }),
    },
    {
      name: '@UsePipes',
      decorator: UsePipes({ transform: (value: unknown) => value }),
    },
    { name: '@UseFilters', decorator: UseFilters(AnyFilter) },
  ];

  it.each(kinds)('$name, the application does not start', async (kind) => {
    for (const order of permutations([TOOL, kind, NAIVE])) {
      const outcome = await tryHost(
        hostWith(order),
        async ({ call }) => (await call(NOBODY)).status,
      );
      const isKept = order.indexOf(kind) < order.indexOf(NAIVE);
      expect([labelOf(order), outcome]).toEqual([labelOf(order), isKept ? 'success' : 'refused']);
    }
  });
});
