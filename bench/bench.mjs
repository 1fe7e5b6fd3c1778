import { parseArgs } from 'node:util';
import { describeMachine, judge, warnIfBusy, writeJson } from './lib/report.mjs';
import { runWorkload } from './lib/run-workload.mjs';
import { toTable } from './lib/table.mjs';

const NAMES = [
  'one-tool-run',
  'one-call',
  'one-call-nest-11',
  'request-scoped-host',
  'request-scoped-host-nest-11',
  'request-scoped-guard',
  'request-scoped-guard-nest-11',
  'arguments',
  'sequential-steps',
  'parallel-calls',
  'streamed-deltas',
  'sse-chunks',
  'sse-chunks-responses',
  'sse-chunks-anthropic',
  'sse-chunks-gemini',
  'first-chunk',
  'paced-chunks',
  'pending-runs',
  'boot',
  'import',
];

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: NAMES.join(',') },
    json: { type: 'string' },
  },
});

function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

const isQuick = options.quick;
const workloads = {};
const lines = [];
for (const name of options.only.split(',')) {
  if (!NAMES.includes(name))
    throw new Error(`No workload "${name}". There are: ${NAMES.join(', ')}`);
  const { default: workload } = await import(`./workloads/${name}.mjs`);
  workloads[name] = await runWorkload(workload, { isQuick, progress });
  lines.push(...workload.lines(workloads[name]));
}
progress('');

const machine = describeMachine();
console.log(toTable(lines));
warnIfBusy(machine);
if (options.json) writeJson(options.json, machine, lines, workloads);
if (isQuick) judge(lines);
