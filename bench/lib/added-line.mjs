import { milliseconds } from './formats.mjs';
import { median } from './measure.mjs';

/** A line of the table for what ours takes beyond its floor: the median of the differences. */
export function addedLine(results, { work, limit, gate, other }) {
  const { ours, floor } = results;
  const added = median(ours.rounds.map(({ time }, round) => time - floor.rounds[round].time));
  const check = {
    value: added,
    limit,
    gate,
    ratio: '',
    budget: `≤ ${milliseconds(limit)}`,
    isKept: added <= limit,
    isWithinGate: added <= gate,
  };
  return { work, ours: added, floor: undefined, other, format: milliseconds, checks: [check] };
}
