import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { runWorkload } from './lib/run-workload.mjs';
import { toTable } from './lib/table.mjs';

const NAMES = [
  'one-tool-run',
  'one-call',
  'sequential-steps',
  'parallel-calls',
  'streamed-deltas',
  'sse-chunks',
  'pending-runs',
  'boot',
  'import',
];

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});

const progress = (text) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};

const isQuick = options.quick;
const names = options.only ? options.only.split(',') : NAMES;
const report = { node: process.version, cpu: cpus()[0].model, cores: cpus().length, workloads: {} };
const lines = [];
for (const name of names) {
  const { default: workload } = await import(`./workloads/${name}.mjs`);
  if (isQuick && workload.quickRounds === 0) continue;
  const results = await runWorkload(workload, { isQuick, progress });
  report.workloads[name] = results;
  lines.push(...workload.lines(results));
}
progress('');
console.log(toTable(lines));
if (options.json) {
  const numbers = lines.map(({ format: _format, ...line }) => line);
  writeFileSync(options.json, `${JSON.stringify({ ...report, lines: numbers }, null, 2)}\n`);
}
const broken = lines.filter(({ checks }) => checks.some(({ isWithinGate }) => !isWithinGate));
if (isQuick && broken.length > 0) {
  console.error(`Beyond the limit for a short run: ${broken.map(({ work }) => work).join('; ')}`);
  process.exitCode = 1;
}
