import { createFetch, WORD } from '../fixtures/event-stream.mjs';
import { budgetLine } from './budget-line.mjs';
import { perSecond } from './formats.mjs';
import { timeOnce } from './measure.mjs';

const CHUNKS = 20_000;
const EVENTS_PER_READ = 16;
const STREAMS = 20;

/** Only in the process of a side, as its module loads the library. */
export async function createReader(side, protocol, server) {
  const module = await import(`../sides/protocols/${side}.mjs`);
  return module.createReader(protocol, server);
}

/**
 * Chunks of a server to pieces of text, by the models without their agents, as fast as they can be read.
 *
 * @param spec `name`, `work` for the table, `protocol` (see `protocol-streams.mjs`), the `sides`
 * beside ours, the floor and the official library, and `limit`, a budget in chunks per second
 */
export function protocolWorkload({ name, work, protocol, others, limit }) {
  return {
    name,
    sides: ['ours', 'floor', 'official', ...others],
    rounds: 5,
    quickRounds: 5,
    warmUps: 2,

    async prepare(side) {
      const createRead = (count, eventsPerRead) =>
        createReader(side, protocol, {
          url: 'http://localhost',
          fetch: createFetch(protocol, count, eventsPerRead),
        });
      // One after the other: what takes no `fetch` of its own takes the last one.
      const measureRate = async (count, eventsPerRead, streams) =>
        rateOf(await createRead(count, eventsPerRead), count, streams);
      return async () => ({
        rate: await measureRate(CHUNKS, EVENTS_PER_READ, 1),
        singleRate: await measureRate(CHUNKS, 1, 1),
        manyRate: await measureRate(CHUNKS / STREAMS, 10, STREAMS),
      });
    },

    lines: (results) => [
      lineOf(results, `${work}, 16 chunks a read`, 'rate', [
        ...(limit ? [{ limit }] : []),
        { against: 'floor', gate: 0.3 },
        { against: 'official', limit: 1.5, gate: 0.9 },
      ]),
      lineOf(results, `${work}, 1 chunk a read`, 'singleRate', [
        { against: 'floor', gate: 0.2 },
        { against: 'official', gate: 0.7 },
      ]),
      lineOf(results, `${work}, ${STREAMS} streams`, 'manyRate', [
        { against: 'floor', gate: 0.2 },
        { against: 'official', limit: 1.5, gate: 0.8 },
      ]),
    ],
  };
}

function lineOf(results, work, key, budgets) {
  return budgetLine(results, { work, key, better: 'more', format: perSecond, budgets });
}

async function rateOf(read, count, streams) {
  const lengths = Array(streams).fill(0);
  const time = await timeOnce(() =>
    Promise.all(lengths.map((_, index) => read((text) => (lengths[index] += text.length)))),
  );
  const expected = count * WORD.length;
  const wrong = lengths.find((length) => length !== expected);
  if (wrong !== undefined) throw new Error(`${wrong} of ${expected} characters arrived.`);
  return (1_000 * count * streams) / time;
}
