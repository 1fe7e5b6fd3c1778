import { milliseconds } from './formats.mjs';
import { median } from './measure.mjs';

/**
 * A line of the table for what a side takes beyond another one: the median of the differences.
 *
 * @param to the side that is taken off
 */
export function addedLine(results, { work, to, limit, gate, other }) {
  const addedBy = (side) =>
    median(results[side].rounds.map(({ time }, round) => time - results[to].rounds[round].time));
  const ours = addedBy('ours');
  const check = {
    value: ours,
    limit,
    gate,
    ratio: '',
    budget: `≤ ${milliseconds(limit)}`,
    isKept: ours <= limit,
    isWithinGate: ours <= gate,
  };
  const floor = results.floor && addedBy('floor');
  return { work, ours, floor, other, format: milliseconds, checks: [check] };
}
