import { addedLine } from '../lib/added-line.mjs';
import { loadLibrary } from '../lib/library.mjs';
import { timeOnce } from '../lib/measure.mjs';
import { OTHERS } from '../lib/sides.mjs';

/** What the import of the core adds to the import of Nest, which an application has anyway. */
export default {
  name: 'import',
  sides: ['ours', 'plain', ...OTHERS],
  rounds: 15,
  quickRounds: 7,
  warmUps: 0,
  isFresh: true,

  async prepare(side) {
    const load = loaderOf(side);
    return async () => ({ time: await timeOnce(load) });
  },

  lines: (results) => [
    addedLine(results, {
      work: 'import of the core beyond Nest itself',
      to: 'plain',
      limit: 40,
      gate: 100,
      other: fastestOther(results),
    }),
  ],
};

function loaderOf(side) {
  if (OTHERS.includes(side)) return () => import(side);
  return async () => {
    await import('reflect-metadata');
    await import('@nestjs/common');
    await import('@nestjs/core');
    if (side === 'ours') await loadLibrary();
  };
}

function fastestOther(results) {
  return OTHERS.filter((side) => results[side])
    .map((side) => ({ side, value: results[side].median.time }))
    .toSorted((a, b) => a.value - b.value)
    .at(0);
}
