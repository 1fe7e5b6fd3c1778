import type { JsonSchema } from 'nestjs-agent-tools';
import { toNumber } from './plain-schema.js';

const MANY = 200;
/** How far a fraction goes from its bound. */
const STEP = 0.5;

/** Numbers that likely fit, the simplest first. */
export function* numberSamples(schema: JsonSchema, isInteger: boolean): Generator<number> {
  const { low, high } = boundsOf(schema);
  const step = Math.abs(toNumber(schema.multipleOf) ?? 1) || 1;
  const start = low <= 1 && high >= 1 ? 1 : low > 1 ? low : high;
  // From the bound towards the inside, whichever side that is.
  const direction = start === high && start !== low ? -1 : 1;
  const from = direction > 0 ? Math.ceil(start / step) : Math.floor(start / step);
  for (let index = 0; index < MANY; index++) yield multiple(from + direction * index, step);
  for (let index = 1; index < MANY; index++) yield multiple(from - direction * index, step);
  if (isInteger) return;
  const finiteLow = Number.isFinite(low) ? low : Math.min(0, high - 1);
  const finiteHigh = Number.isFinite(high) ? high : Math.max(1, low + 1);
  yield low;
  yield high;
  for (let part = STEP; part > Number.EPSILON; part /= 2) {
    yield finiteLow + (finiteHigh - finiteLow) * part;
  }
  // A range of some numbers only, or one without an end.
  yield low + Math.max(Math.abs(low) * Number.EPSILON, Number.MIN_VALUE);
  yield low + Math.abs(low) / 2;
  yield high - Math.max(Math.abs(high) * Number.EPSILON, Number.MIN_VALUE);
  yield high - Math.abs(high) / 2;
}

function boundsOf(schema: JsonSchema): { low: number; high: number } {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  return {
    low: Math.max(toNumber(minimum) ?? -Infinity, toNumber(exclusiveMinimum) ?? -Infinity),
    high: Math.min(toNumber(maximum) ?? Infinity, toNumber(exclusiveMaximum) ?? Infinity),
  };
}

/** `3 * 0.1` is 0.30000000000000004, and `-0` is written as 0. */
function multiple(count: number, step: number): number {
  const value = count * step;
  const short = Number(value.toPrecision(15));
  return (Number.isInteger(short / step) ? short : value) || 0;
}
