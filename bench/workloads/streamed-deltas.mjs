import { budgetLine } from '../lib/budget-line.mjs';
import { perSecond } from '../lib/formats.mjs';
import { timeOnce } from '../lib/measure.mjs';
import { hasEnhancers, loadSide, SIDES } from '../lib/sides.mjs';

/** Pieces of text from the model to the consumer of the stream. */
export default {
  name: 'streamed-deltas',
  sides: Object.keys(SIDES),
  rounds: 9,
  quickRounds: 5,
  warmUps: 2,

  async prepare(side, isQuick) {
    const { createReader } = await loadSide(side);
    const fast = isQuick ? 50_000 : 200_000;
    const deltas = hasEnhancers(side) ? fast : 5_000;
    const read = await createReader({ deltas });
    return async () => {
      let count;
      const time = await timeOnce(async () => {
        count = await read();
      });
      if (count !== deltas) throw new Error(`${count} of ${deltas} pieces arrived.`);
      return { rate: (1_000 * count) / time };
    };
  },

  lines: (results) => [
    budgetLine(results, {
      work: 'streamed text deltas to the consumer',
      key: 'rate',
      better: 'more',
      format: perSecond,
      budgets: [{ limit: 500_000 }, { against: 'floor', gate: 0.15 }],
    }),
  ],
};
