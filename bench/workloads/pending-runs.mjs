import { budgetLine } from '../lib/budget-line.mjs';
import { megabytes } from '../lib/formats.mjs';
import { loadSide, SIDES } from '../lib/sides.mjs';

/** The others take seconds to start a thousand. */
const RUNS = { ours: 2_000, floor: 2_000 };
const RUNS_OF_OTHERS = 300;
const MEGABYTE = 1024 * 1024;

/** What runs cost that wait for their tool. */
export default {
  name: 'pending-runs',
  sides: Object.keys(SIDES),
  rounds: 5,
  quickRounds: 3,
  warmUps: 1,
  execArgv: ['--expose-gc'],

  async prepare(side) {
    const { createRunner } = await loadSide(side);
    const count = RUNS[side] ?? RUNS_OF_OTHERS;
    let waiting = [];
    const hold = () => new Promise((resolve) => waiting.push(resolve));
    const run = await createRunner({ steps: 1, hold });
    return async () => {
      const before = usedMemory();
      const runs = Array.from({ length: count }, () => run());
      while (waiting.length < count) await new Promise(setImmediate);
      const memory = (1_000 * (usedMemory() - before)) / count;
      for (const release of waiting) release();
      waiting = [];
      await Promise.all(runs);
      return { memory: memory / MEGABYTE };
    };
  },

  lines: (results) => [
    budgetLine(results, {
      work: 'memory per 1,000 pending runs',
      key: 'memory',
      better: 'less',
      format: megabytes,
      budgets: [{ limit: 10, gate: 13 }],
    }),
  ],
};

function usedMemory() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
