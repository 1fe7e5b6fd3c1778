import { fork } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import * as common from '@nestjs/common';
import type { Footprint } from './footprint.js';

/** What is left of a load. */
export interface Report {
  /** How many calls ended with each status. */
  readonly statuses: Record<string, number>;
  /** What ran, and what was made, since the warm-up. */
  readonly counts: Record<string, number>;
  /** The same with the warm-up. */
  readonly total: Record<string, number>;
  /** The highest of what was measured while calls ran. */
  readonly most: Record<string, number>;
  readonly before: Footprint;
  readonly after: Footprint;
}

const HOOKS = pathToFileURL(`${import.meta.dirname}/typescript.hooks.mjs`).href;
const REGISTER = `import { register } from 'node:module'; register('${HOOKS}');`;
const isNest11 = !('StandardSchemaValidationPipe' in common);

/** Runs all scenarios in a process without Jest, on the Nest of this one. */
export async function runScenarios(): Promise<Map<string, Report>> {
  const child = fork(`${import.meta.dirname}/process.ts`, {
    execArgv: ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(REGISTER)}`],
    env: { ...process.env, NODE_OPTIONS: '', NEST_11: isNest11 ? 'yes' : '' },
  });
  const reports = new Map<string, Report>();
  child.on('message', ({ name, report }: { name: string; report: Report }) =>
    reports.set(name, report),
  );
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The process under load ended with ${code}.`);
  return reports;
}
