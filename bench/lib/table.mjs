const HEAD = ['work', 'ours', 'floor', 'best other', 'ratio', 'budget', 'ok?'];

/** The budget table as Markdown, padded so that it can be read in a terminal. */
export function toTable(lines) {
  const rows = [HEAD, ...lines.map(toCells)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const print = (cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [print(rows[0]), rule, ...rows.slice(1).map(print)].join('\n');
}

function verdictOf(checks) {
  if (checks.every(({ limit }) => limit === undefined)) return '';
  return checks.every(({ isKept }) => isKept) ? 'yes' : 'NO';
}

function toCells({ work, ours, floor, other, format, checks }) {
  return [
    work,
    format(ours),
    floor === undefined ? '' : format(floor),
    other ? `${format(other.value)} (${other.side})` : '',
    checks.flatMap(({ ratio }) => ratio || []).join(', '),
    checks.flatMap(({ budget }) => budget || []).join(', '),
    verdictOf(checks),
  ];
}
