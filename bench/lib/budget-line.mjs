import { median } from './measure.mjs';

/**
 * One line of the table. A ratio is the median of the ratios of the single rounds: the two sides of
 * a round ran right after each other, so it moves less than the medians of the sides.
 *
 * @param results what `runWorkload` returned
 * @param spec `work`, `key` of the value, `better` (`more` or `less`), `format`, and `budgets`. Each
 * is a ratio to a side, such as the `floor`, or to the best `other`, or a value by itself; `limit` is the budget, `gate`
 * the wider border that fails a short run, so wide that noise does not reach it
 */
export function budgetLine(results, { work, key, better, format, budgets }) {
  const valueOf = (side) => results[side]?.median[key];
  const other = Object.keys(results)
    .filter((side) => side !== 'ours' && side !== 'floor' && valueOf(side) !== undefined)
    .toSorted((a, b) => (better === 'more' ? valueOf(b) - valueOf(a) : valueOf(a) - valueOf(b)))
    .at(0);
  const baseOf = (against) => (against === 'other' ? other : against);
  const checks = budgets
    .filter(({ against }) => !against || valueOf(baseOf(against)) !== undefined)
    .map((budget) => {
      const base = baseOf(budget.against);
      const value = base ? ratioOf(results, base, key) : valueOf('ours');
      return check(budget, value, better, base ? toRatio : format);
    });
  return {
    work,
    ours: valueOf('ours'),
    floor: valueOf('floor'),
    other: other && { side: other, value: valueOf(other) },
    format,
    checks,
  };
}

function ratioOf(results, base, key) {
  const { rounds } = results[base];
  return median(results.ours.rounds.map((values, round) => values[key] / rounds[round][key]));
}

function check({ against, limit, gate }, value, better, format) {
  const keeps = (border) =>
    border === undefined || (better === 'more' ? value >= border : value <= border);
  const unit = against ? ` × ${against}` : '';
  const sign = better === 'more' ? '≥' : '≤';
  return {
    value,
    limit,
    gate,
    ratio: against ? `${format(value)}${unit}` : '',
    budget: limit === undefined ? '' : `${sign} ${format(limit)}${unit}`,
    isKept: keeps(limit),
    isWithinGate: keeps(gate),
  };
}

function toRatio(value) {
  return value.toFixed(value < 10 ? 2 : 0);
}
