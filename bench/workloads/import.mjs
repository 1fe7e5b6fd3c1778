import { milliseconds } from '../lib/formats.mjs';
import { budgetLine } from '../lib/budget-line.mjs';
import { loadLibrary } from '../lib/library.mjs';
import { timeOnce } from '../lib/measure.mjs';
import { OTHERS } from '../lib/sides.mjs';

/** What the import of the core takes when Nest is there, which an application has anyway. */
export default {
  name: 'import',
  sides: ['ours', ...OTHERS],
  rounds: 15,
  quickRounds: 5,
  warmUps: 0,
  isFresh: true,

  async prepare(side) {
    if (side === 'ours') {
      await import('reflect-metadata');
      await import('@nestjs/common');
      await import('@nestjs/core');
    }
    const load = side === 'ours' ? loadLibrary : () => import(side);
    return async () => ({ time: await timeOnce(() => load()) });
  },

  lines: (results) => [
    budgetLine(results, {
      work: 'import of the core beyond Nest itself',
      key: 'time',
      better: 'less',
      format: milliseconds,
      budgets: [{ limit: 40, gate: 200 }],
    }),
  ],
};
