import { budgetLine } from '../lib/budget-line.mjs';
import { microseconds } from '../lib/formats.mjs';
import { timePerRun } from '../lib/measure.mjs';
import { loadSide, prove } from '../lib/sides.mjs';

/** One call without an agent, its arguments parsed and validated. `ai` has no public call for that. */
export default {
  name: 'one-call',
  sides: ['ours', 'floor', '@openai/agents', 'langchain'],
  rounds: 15,
  quickRounds: 7,
  warmUps: 10,

  async prepare(side) {
    const { createCaller } = await loadSide(side);
    const call = await createCaller();
    await prove(side, call);
    return async () => ({ time: 1_000 * (await timePerRun(call, 100)) });
  },

  lines: (results) => [
    budgetLine(results, {
      work: 'one call, 3 enhancers, parsed and validated',
      key: 'time',
      better: 'less',
      format: microseconds,
      budgets: [{ against: 'floor', limit: 0.6, gate: 0.9 }],
    }),
  ],
};
