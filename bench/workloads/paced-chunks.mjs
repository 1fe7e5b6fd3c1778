import { PROTOCOLS } from '../fixtures/protocol-streams.mjs';
import { budgetLine } from '../lib/budget-line.mjs';
import { microseconds } from '../lib/formats.mjs';
import { median } from '../lib/measure.mjs';
import { delaysOf, lengthOf } from '../lib/monotonic.mjs';
import { startServer } from '../lib/paced-server.mjs';
import { createReader } from '../lib/protocol-workload.mjs';

const CHUNKS = 200;
const INTERVAL = 1;
const MODES = { one: 1, many: 20 };

/** A chunk every millisecond: what it costs the processor, and how late it comes to the consumer. */
export default {
  name: 'paced-chunks',
  sides: ['ours', 'floor', 'official', 'ai', 'langchain'],
  rounds: 7,
  quickRounds: 3,
  warmUps: 2,

  async prepare(side) {
    const url = (await startServer())(CHUNKS, INTERVAL);
    const readers = [];
    for (const protocol of PROTOCOLS) {
      const read = await createReader(side, protocol, { url });
      if (read) readers.push([protocol, read]);
    }
    return async () => {
      const values = {};
      for (const [protocol, read] of readers) {
        for (const [mode, streams] of Object.entries(MODES)) {
          const { processor, delay } = await readAll(read, streams);
          values[`${protocol} ${mode} processor`] = processor;
          values[`${protocol} ${mode} delay`] = delay;
        }
      }
      return values;
    };
  },

  lines: (results) =>
    PROTOCOLS.flatMap((protocol) => [
      lineOf(results, protocol, 'one processor', 'processor time of a chunk', {
        limit: 1,
        gate: 1.5,
      }),
      lineOf(results, protocol, 'many processor', 'the same, 20 streams', { limit: 1, gate: 1.5 }),
      lineOf(results, protocol, 'one delay', 'sent to consumed', { gate: 1.5 }),
      lineOf(results, protocol, 'many delay', 'the same, 20 streams', { gate: 2 }),
    ]),
};

function lineOf(results, protocol, key, work, budget) {
  return budgetLine(results, {
    work: `${protocol}, paced: ${work}`,
    key: `${protocol} ${key}`,
    better: 'less',
    format: microseconds,
    budgets: [{ against: 'floor' }, { against: 'official', ...budget }],
  });
}

async function readAll(read, streams) {
  const delays = [];
  let length = 0;
  const usage = process.cpuUsage();
  const readOne = () =>
    read((text) => {
      length += text.length;
      delays.push(...delaysOf(text));
    });
  await Promise.all(Array.from({ length: streams }, readOne));
  const { user, system } = process.cpuUsage(usage);
  const expected = streams * lengthOf(CHUNKS);
  if (length !== expected) throw new Error(`${length} of ${expected} characters arrived.`);
  return { processor: (user + system) / (streams * CHUNKS), delay: median(delays) };
}
