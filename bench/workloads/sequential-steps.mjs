import { budgetLine } from '../lib/budget-line.mjs';
import { exponent, milliseconds } from '../lib/formats.mjs';
import { timePerRun } from '../lib/measure.mjs';
import { hasEnhancers, loadSide, prove, SIDES } from '../lib/sides.mjs';

const LENGTHS = [100, 400];
/** Only where it does not take minutes. */
const ALL_LENGTHS = [...LENGTHS, 1_600];

/** One run that calls a tool again and again: does the cost grow in a line with the steps? */
export default {
  name: 'sequential-steps',
  sides: Object.keys(SIDES),
  rounds: 5,
  quickRounds: 3,
  warmUps: 1,

  async prepare(side, isQuick) {
    const { createRunner } = await loadSide(side);
    const lengths = hasEnhancers(side) && !isQuick ? ALL_LENGTHS : LENGTHS;
    const runs = new Map();
    for (const steps of lengths) {
      runs.set(steps, await createRunner({ steps }));
      await prove(side, runs.get(steps));
    }
    return async () => {
      const values = {};
      for (const [steps, run] of runs) values[`ms${steps}`] = await timePerRun(run, 200);
      values.exponent = growth(values.ms100, values.ms400, 4);
      if (values.ms1600) values.longExponent = growth(values.ms100, values.ms1600, 16);
      return values;
    };
  },

  lines: (results) => [
    budgetLine(results, {
      work: '400 sequential tool steps',
      key: 'ms400',
      better: 'less',
      format: milliseconds,
      budgets: [{ against: 'floor', limit: 2, gate: 3 }],
    }),
    ...[
      ['growth exponent, 100 to 400 steps', 'exponent'],
      ['growth exponent, 100 to 1,600 steps', 'longExponent'],
    ]
      .filter(([, key]) => key in results.ours.median)
      .map(([work, key]) =>
        budgetLine(results, {
          work,
          key,
          better: 'less',
          format: exponent,
          budgets: [{ limit: 1.1, gate: 1.3 }],
        }),
      ),
  ],
};

function growth(short, long, factor) {
  return Math.log(long / short) / Math.log(factor);
}
