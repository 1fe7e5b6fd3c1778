import { ToolExecutor, ToolRegistry } from 'nestjs-agent-tools';
import type { RunningApp } from './application.js';
import type { MatrixCase } from './cases.js';
import { INSTANCE_ORIGIN, type Kind } from './enhancers.js';
import type { Target } from './forms.js';
import { GLOBAL_ORIGIN } from './globals.js';
import type { Sighting } from './probe.js';
import { allowed, withoutClassRole, withoutMethodRole, type MatrixRequest } from './roles.js';

/** One call of a tool. */
export interface Call {
  readonly text: string;
  /** A new one for each run: runs of one request share what is request-scoped. */
  readonly request: () => MatrixRequest;
}

export interface CallObservation {
  readonly status: string;
  readonly value: unknown;
  readonly trail: readonly string[];
  readonly seen: readonly (Omit<Sighting, 'instance'> & { readonly isConstructed: boolean })[];
}

export interface Observation {
  /** How often the registry lists the tool. */
  readonly listed: number;
  readonly calls: readonly CallObservation[];
  /** How many enhancers ran. */
  readonly instances: number;
  /** How many enhancers were constructed, of a global one while the calls ran. */
  readonly constructions: number;
  /** On how many hosts the method ran. */
  readonly hosts: number;
}

const hi = (request: Call['request']): Call => ({ text: 'hi', request });

/** Two runs of each kind, and what a guard must refuse: every call is a run of its own. */
export const CALLS: Record<Kind, readonly Call[]> = {
  guard: [hi(allowed), hi(allowed), hi(withoutMethodRole), hi(withoutClassRole)],
  interceptor: [hi(allowed), hi(allowed)],
  pipe: [hi(allowed), hi(allowed)],
  filter: [
    { text: 'throw method', request: allowed },
    { text: 'throw method', request: allowed },
  ],
};

/** Where the enhancer of a case gets its dependency from. */
export function originOf({ level, scope }: MatrixCase, target: Target): string {
  if (scope === 'instance') return INSTANCE_ORIGIN;
  return level === 'global' ? GLOBAL_ORIGIN : target.origin;
}

export async function observe(
  running: RunningApp,
  one: MatrixCase,
  target: Target,
): Promise<Observation> {
  const { probe, tool } = target;
  const origin = originOf(one, target);
  const constructed = () => [...probe.constructions.values()].filter((of) => of === origin).length;
  const before = one.level === 'global' ? constructed() : 0;
  const instances = new Set<object>();
  const hosts = new Set<object>();
  const calls: CallObservation[] = [];
  for (const call of CALLS[one.kind]) {
    calls.push(await observeCall(running, one.form, target, call));
    for (const { instance } of probe.sightings) instances.add(instance);
    for (const host of probe.hosts) hosts.add(host);
  }
  return {
    listed: listed(running, tool),
    calls,
    instances: instances.size,
    constructions: constructed() - before,
    hosts: hosts.size,
  };
}

export async function observeCall(
  { app }: RunningApp,
  form: MatrixCase['form'],
  target: Target,
  { text, request }: Call,
): Promise<CallObservation> {
  const { probe, tool } = target;
  probe.reset();
  const call = () => app.get(ToolExecutor).execute(tool, { text }, { request: request() });
  const { status, value } = await (form.around?.(app, target, call) ?? call());
  const seen = probe.sightings.map(({ instance, ...sighting }) => ({
    ...sighting,
    isConstructed: probe.constructions.has(instance),
  }));
  return { status, value, trail: probe.trail, seen };
}

function listed({ app }: RunningApp, tool: string): number {
  const tools = app.get(ToolRegistry).list();
  return tools.filter(({ name }) => name === tool).length;
}
