import type { JsonSchema } from 'nestjs-agent-tools';
import { formatSamples } from './format.samples.js';
import { patternSamples } from './pattern.samples.js';
import { toNumber } from './plain-schema.js';

const MANY = 200;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Texts that likely fit, the simplest first. */
export function* stringSamples(schema: JsonSchema): Generator<string> {
  const { format, pattern } = schema;
  const min = toNumber(schema.minLength) ?? 0;
  const max = toNumber(schema.maxLength) ?? Infinity;
  if (typeof format === 'string') yield* formatSamples(format, min);
  if (typeof pattern === 'string') yield* patternSamples(pattern, min);
  for (let index = 0; index < MANY; index++) yield plainText(index, min, max);
}

function plainText(index: number, min: number, max: number): string {
  if (max < 'text'.length) {
    const more = Math.trunc(index / LETTERS.length);
    const text = LETTERS[index % LETTERS.length] + (more > 0 ? LETTERS[more] : '');
    return text.padEnd(min, 'a').slice(0, max);
  }
  const number = index > 0 ? String(index + 1) : '';
  const word = `text${number}`.length > max ? number : `text${number}`;
  return word.padEnd(min, 'x');
}
