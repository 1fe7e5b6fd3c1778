import { addedLine } from '../lib/added-line.mjs';
import { timeOnce } from '../lib/measure.mjs';

/**
 * What 1,000 tools in 100 providers add to the start of an application. The floor is what the
 * schema library itself takes to describe the 1,000 schemas as JSON Schema.
 */
export default {
  name: 'boot',
  sides: ['ours', 'floor', 'plain'],
  rounds: 11,
  quickRounds: 3,
  warmUps: 0,
  isFresh: true,

  async prepare(side) {
    const { createApplication } = await import('../fixtures/large-application.mjs');
    const { boot, schemas } = await createApplication({ withLibrary: side === 'ours' });
    const describe = (schema) => schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    return async () => ({
      time: await timeOnce(async () => {
        await boot();
        if (side === 'floor') schemas.forEach(describe);
      }),
    });
  },

  lines: (results) => [
    addedLine(results, {
      work: '1,000 tools in 100 providers, added to boot',
      to: 'plain',
      limit: 200,
      gate: 800,
    }),
  ],
};
