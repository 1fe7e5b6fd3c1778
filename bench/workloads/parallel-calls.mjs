import { budgetLine } from '../lib/budget-line.mjs';
import { milliseconds } from '../lib/formats.mjs';
import { waitPerRun } from '../lib/measure.mjs';
import { loadSide, prove, SIDES } from '../lib/sides.mjs';

/** One step that asks for 100 calls at once, each of which waits for 10 ms. */
export default {
  name: 'parallel-calls',
  sides: Object.keys(SIDES),
  rounds: 7,
  quickRounds: 5,

  async prepare(side) {
    const { createRunner } = await loadSide(side);
    const run = await createRunner({ steps: 1, calls: 100, delay: 10 });
    await prove(side, run);
    await waitPerRun(run, 10);
    return async () => ({ time: await waitPerRun(run, 5) });
  },

  lines: (results) => [
    budgetLine(results, {
      work: '100 parallel calls of 10 ms',
      key: 'time',
      better: 'less',
      format: milliseconds,
      budgets: [{ against: 'floor', limit: 1.2, gate: 1.6 }],
    }),
  ],
};
