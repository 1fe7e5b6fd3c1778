import { budgetLine } from '../lib/budget-line.mjs';
import { perSecond } from '../lib/formats.mjs';
import { timePerRun } from '../lib/measure.mjs';
import { loadSide, prove, SIDES } from '../lib/sides.mjs';

/** A question, one call of a tool with three enhancers, an answer. */
export default {
  name: 'one-tool-run',
  sides: Object.keys(SIDES),
  rounds: 15,
  quickRounds: 7,
  warmUps: 10,

  async prepare(side) {
    const { createRunner } = await loadSide(side);
    const run = await createRunner({ steps: 1 });
    await prove(side, run);
    return async () => ({ rate: 1_000 / (await timePerRun(run, 100)) });
  },

  lines: (results) => [
    budgetLine(results, {
      work: 'one-tool run, 3 enhancers',
      key: 'rate',
      better: 'more',
      format: perSecond,
      budgets: [
        { against: 'floor', limit: 0.7, gate: 0.5 },
        { against: 'other', limit: 20, gate: 10 },
      ],
    }),
  ],
};
