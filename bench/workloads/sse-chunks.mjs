import { createFetch } from '../fixtures/event-stream.mjs';
import { budgetLine } from '../lib/budget-line.mjs';
import { perSecond } from '../lib/formats.mjs';
import { timeOnce } from '../lib/measure.mjs';

const CHUNKS = 20_000;
const EVENTS_PER_READ = 16;

/** Chunks of an OpenAI-compatible server to deltas of text, by the models without their agents. */
export default {
  name: 'sse-chunks',
  sides: ['ours', 'floor', 'openai (SDK)'],
  rounds: 9,
  quickRounds: 5,
  warmUps: 4,

  async prepare(side) {
    const { READERS } = await import('../sides/chat-completions.mjs');
    const readMany = await READERS[side](createFetch(CHUNKS, EVENTS_PER_READ));
    const readSingle = await READERS[side](createFetch(CHUNKS, 1));
    return async () => ({ rate: await rateOf(readMany), singleRate: await rateOf(readSingle) });
  },

  lines: (results) => [
    budgetLine(results, {
      work: 'OpenAI-compatible SSE, 16 chunks a read',
      key: 'rate',
      better: 'more',
      format: perSecond,
      budgets: [{ limit: 150_000 }, { against: 'floor', gate: 0.3 }],
    }),
    budgetLine(results, {
      work: 'the same, 1 chunk a read',
      key: 'singleRate',
      better: 'more',
      format: perSecond,
      budgets: [{ against: 'floor', gate: 0.2 }],
    }),
  ],
};

async function rateOf(read) {
  let count;
  const time = await timeOnce(async () => {
    count = await read();
  });
  if (count !== CHUNKS) throw new Error(`${count} of ${CHUNKS} chunks arrived.`);
  return (1_000 * count) / time;
}
