import { addedLine } from '../lib/added-line.mjs';
import { timeOnce } from '../lib/measure.mjs';

/** What 1,000 tools in 100 providers add to the start of an application. */
export default {
  name: 'boot',
  sides: ['ours', 'floor'],
  rounds: 9,
  quickRounds: 5,
  warmUps: 0,
  isFresh: true,

  async prepare(side) {
    const { createModule } = await import('../fixtures/large-application.mjs');
    const { NestFactory } = await import('@nestjs/core');
    const AppModule = await createModule({ hasTools: side === 'ours' });
    const boot = () => NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
    return async () => ({ time: await timeOnce(boot) });
  },

  lines: (results) => [
    addedLine(results, {
      work: '1,000 tools in 100 providers, added to boot',
      limit: 200,
      gate: 500,
    }),
  ],
};
