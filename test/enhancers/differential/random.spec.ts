import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareStack, type Run } from './oracle.js';
import { randomStack, toStack } from './random-stack.js';

const RUNS = 200;

/**
 * What comes while an interceptor subscribes inside of a store, rxjs may hand on after the subscription,
 * out of the store. More of it comes at once here than in Nest, as what is not asynchronous takes no turns.
 */
function withoutStoreOnTheWayBack({ trace, outcome }: Run): Run {
  return { trace: trace.map((entry) => entry.replace(/^([<!].*) \[\w+\]$/, '$1')), outcome };
}

describe('when enhancers of any kind stand on any level and do anything', () => {
  it('what runs, in which order and async context, and how it ends is the same as in Nest', async () => {
    const seen = { ran: 0, stopped: 0, values: 0, errors: 0, stores: 0 };
    await fc.assert(
      fc.asyncProperty(randomStack, async (random) => {
        const { ours, nest } = await compareStack(toStack(random));
        expect(withoutStoreOnTheWayBack(ours)).toEqual(withoutStoreOnTheWayBack(nest));
        const ran = ours.trace.some((entry) => entry.startsWith('method'));
        seen[ran ? 'ran' : 'stopped']++;
        seen['value' in ours.outcome ? 'values' : 'errors']++;
        if (ours.trace.some((entry) => entry.endsWith(']'))) seen.stores++;
      }),
      { numRuns: RUNS },
    );
    // The stacks are worth comparing only if all of this happens often.
    expect(Object.entries(seen).filter(([, count]) => count < RUNS / 20)).toEqual([]);
  }, 30_000);
});
