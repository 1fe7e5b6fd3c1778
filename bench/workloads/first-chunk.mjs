import { PROTOCOLS } from '../fixtures/protocol-streams.mjs';
import { budgetLine } from '../lib/budget-line.mjs';
import { milliseconds } from '../lib/formats.mjs';
import { median } from '../lib/measure.mjs';
import { lengthOf } from '../lib/monotonic.mjs';
import { startServer } from '../lib/paced-server.mjs';
import { createReader } from '../lib/protocol-workload.mjs';

const REQUESTS = 100;
const CHUNKS = 2;

/** From the request to the first piece of text, on a connection that is open already. */
export default {
  name: 'first-chunk',
  sides: ['ours', 'floor', 'official', 'ai', 'langchain'],
  rounds: 9,
  quickRounds: 5,
  warmUps: 3,

  async prepare(side) {
    const url = (await startServer())(CHUNKS, 0);
    const readers = [];
    for (const protocol of PROTOCOLS) {
      const read = await createReader(side, protocol, { url });
      if (read) readers.push([protocol, read]);
    }
    return async () => {
      const values = {};
      for (const [protocol, read] of readers) values[protocol] = await timeToFirst(read);
      return values;
    };
  },

  lines: (results) =>
    PROTOCOLS.map((protocol) =>
      budgetLine(results, {
        work: `to the first chunk, ${protocol}`,
        key: protocol,
        better: 'less',
        format: (value) => milliseconds(value, 2),
        budgets: [
          { against: 'floor', gate: 2.5 },
          { against: 'official', limit: 1, gate: 1.6 },
        ],
      }),
    ),
};

async function timeToFirst(read) {
  const times = [];
  for (let index = 0; index < REQUESTS; index++) {
    let length = 0;
    let first;
    const started = performance.now();
    await read((text) => {
      first ??= performance.now();
      length += text.length;
    });
    if (length !== lengthOf(CHUNKS)) throw new Error(`${length} characters arrived.`);
    times.push(first - started);
  }
  return median(times);
}
