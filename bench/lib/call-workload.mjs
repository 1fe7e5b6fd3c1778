import { checkInstances } from '../fixtures/forms.mjs';
import { budgetLine } from './budget-line.mjs';
import { microseconds } from './formats.mjs';
import { timePerRun } from './measure.mjs';
import { checkNestVersion, ON_NEST_11 } from './nest-version.mjs';
import { loadSide, prove } from './sides.mjs';

/**
 * One call of a tool of some form without an agent, its arguments parsed and validated, against
 * Nest's own way.
 *
 * @param spec `name`, `work` for the table, `form` (see `forms.mjs`), and the `nest` it runs on
 */
export function callWorkload({ name, work, form, nest }) {
  return {
    name,
    sides: ['ours', 'floor'],
    rounds: 15,
    quickRounds: 7,
    warmUps: 10,
    execArgv: nest === 11 ? ON_NEST_11 : [],

    async prepare(side) {
      checkNestVersion(nest);
      const { createCaller } = await loadSide(side);
      const call = await createCaller(form);
      await prove(side, call);
      await call();
      checkInstances(form);
      return async () => ({ time: 1_000 * (await timePerRun(call, 100)) });
    },

    lines: (results) => [
      budgetLine(results, {
        work: `${work}, Nest ${nest}`,
        key: 'time',
        better: 'less',
        format: microseconds,
        budgets: [{ against: 'floor', limit: 0.6, gate: 0.9 }],
      }),
    ],
  };
}
