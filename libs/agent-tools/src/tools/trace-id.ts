import { createHash } from 'node:crypto';
import type { AgentRun } from './interfaces/agent-run.interface.js';

const known = new WeakMap<AgentRun, string>();

/** The id of the trace to which a run belongs: 32 hexadecimal digits, as W3C Trace Context has it. */
export function traceIdOf(run: AgentRun): string {
  let id = known.get(run);
  if (id === undefined) {
    const hex = run.id.replaceAll('-', '');
    id = /^[\da-f]{32}$/.test(hex)
      ? hex
      : createHash('sha256').update(run.id).digest('hex').slice(0, 32);
    known.set(run, id);
  }
  return id;
}

/** The run is part of a trace that somebody records. */
export function joinTrace(run: AgentRun, traceId: string): void {
  known.set(run, traceId);
}
