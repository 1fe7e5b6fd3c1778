import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

/** What the numbers were measured on. */
export function describeMachine() {
  const [{ model }, ...rest] = cpus();
  return { node: process.version, cpu: model, cores: rest.length + 1, load: loadavg()[0] };
}

/** Ratios survive a busy machine, absolute numbers do not. */
export function warnIfBusy({ cores, load }) {
  if (load <= cores) return;
  console.log(
    `\nThe machine was busy (load ${load.toFixed(1)} on ${cores} cores): trust the ratios, and measure ` +
      'the budgets without one again when it is idle.',
  );
}

export function writeJson(path, machine, lines, workloads) {
  const numbers = lines.map(({ format: _format, ...line }) => line);
  writeFileSync(path, `${JSON.stringify({ machine, lines: numbers, workloads }, null, 2)}\n`);
}

/** Fails a short run that is beyond a gate. */
export function judge(lines) {
  const broken = lines.filter(({ checks }) => checks.some(({ isWithinGate }) => !isWithinGate));
  if (broken.length === 0) return;
  console.error(`\nToo slow: ${broken.map(({ work }) => work).join('; ')}`);
  process.exitCode = 1;
}
