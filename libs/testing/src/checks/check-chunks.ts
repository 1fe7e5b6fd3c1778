import type { FromChunksOptions } from '../interfaces/from-chunks.interface.js';
import { checkTestOptions, describe } from './check-test-options.js';

const NAMES = [
  'end',
  'done',
  'status',
  'headers',
] as const satisfies readonly (keyof FromChunksOptions)[];
const ENDS: readonly unknown[] = ['close', 'reset', 'stall'];

/** @throws TypeError if `fromChunks()` was not given a factory and pieces */
export function checkScript(factory: unknown, chunks: unknown): void {
  if (typeof factory !== 'function') {
    throw new TypeError(
      'fromChunks() needs the factory of a model, not the model, as it gives it the `fetch`: ' +
        'fromChunks(openai, […]), or fromChunks((options) => openai({ ...options, model }), […]); it was given ' +
        `${describe(factory)}.`,
    );
  }
  if (!Array.isArray(chunks)) {
    throw new TypeError(
      `fromChunks() needs the pieces of the answer as a list: fromChunks(openai, [{ choices: […] }]); it was given ${describe(chunks)}.`,
    );
  }
  const index = (chunks as unknown[]).findIndex((chunk) => !isChunk(chunk));
  if (index < 0) return;
  throw new TypeError(
    `The piece at index ${index} of fromChunks() must be an object, a text or bytes, not ${describe(chunks[index])}.`,
  );
}

/** @throws TypeError for an option that there is not, or with a value of no use */
export function checkChunkOptions(options: FromChunksOptions): void {
  checkTestOptions('fromChunks()', options, NAMES);
  const { end, status } = options;
  if (end !== undefined && !ENDS.includes(end)) {
    throw new TypeError(
      `fromChunks() has no \`end\` ${JSON.stringify(end)}. Give 'close', 'reset' or 'stall'.`,
    );
  }
  if (status === undefined || (Number.isInteger(status) && status >= 200 && status <= 599)) return;
  throw new TypeError(
    `fromChunks() needs a whole number from 200 to 599 as \`status\`, not ${JSON.stringify(status)}.`,
  );
}

function isChunk(chunk: unknown): boolean {
  return typeof chunk === 'string' || (typeof chunk === 'object' && chunk !== null);
}
