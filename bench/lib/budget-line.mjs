import { OTHERS } from './sides.mjs';

/**
 * One line of the table.
 *
 * @param results what `runWorkload` returned
 * @param spec `work`, `key` of the value, `better` (`more` or `less`), `format`, and `budgets`: each
 * compares with the `floor`, the best `other` or nothing, and has a `limit` and a wider `gate` for
 * short runs on a noisy machine
 */
export function budgetLine(results, { work, key, better, format, budgets }) {
  const ours = results.ours.median[key];
  const floor = results.floor?.median[key];
  const other = bestOther(results, key, better);
  const bases = { floor, other: other?.value, nothing: 1 };
  const checks = budgets
    .filter(({ against }) => bases[against] !== undefined)
    .map((budget) => check(budget, ours / bases[budget.against], better, format));
  return { work, ours, floor, other, format, checks };
}

function bestOther(results, key, better) {
  const others = OTHERS.flatMap((side) => {
    const value = results[side]?.median[key];
    return value === undefined ? [] : [{ side, value }];
  });
  const sorted = others.toSorted((a, b) => (better === 'more' ? b.value - a.value : a.value - b.value));
  return sorted.at(0);
}

function check({ against, limit, gate }, value, better, format) {
  const keeps = (border) => (better === 'more' ? value >= border : value <= border);
  const unit = against === 'nothing' ? '' : ` × ${against}`;
  const print = against === 'nothing' ? format : (number) => number.toFixed(number < 10 ? 2 : 0);
  return {
    value,
    limit,
    gate,
    ratio: against === 'nothing' ? '' : `${print(value)}${unit}`,
    budget: `${better === 'more' ? '≥' : '≤'} ${print(limit)}${unit}`,
    isKept: keeps(limit),
    isWithinGate: keeps(gate),
  };
}
