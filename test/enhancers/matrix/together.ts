import { startApplication, type RunningApp } from './application.js';
import { KINDS, type EnhancerScope, type Kind } from './enhancers.js';
import { FORMS, type HostForm, type Target } from './forms.js';
import { createParts, LEVELS, type HostParts, type Level } from './hosts.js';
import { observeCall, type Call } from './observation.js';
import { Probe } from './probe.js';
import { allowed, withoutMethodRole } from './roles.js';

/** Which scope the enhancers of a level have. */
export interface Arrangement {
  readonly title: string;
  readonly scopes: Readonly<Record<Level, EnhancerScope>>;
}

export const ARRANGEMENTS: readonly Arrangement[] = [
  { title: 'singletons', scopes: scopesOf('singleton', 'singleton', 'singleton') },
  {
    title: 'request-scoped',
    scopes: scopesOf('request-scoped', 'request-scoped', 'request-scoped'),
  },
  { title: 'transient', scopes: scopesOf('transient', 'transient', 'transient') },
  { title: 'of mixed scopes', scopes: scopesOf('singleton', 'request-scoped', 'transient') },
  {
    title: 'of other mixed scopes',
    scopes: scopesOf('request-scoped', 'instance', 'request-scoped by a property'),
  },
];

const CALLS: Readonly<Record<string, Call>> = {
  success: { text: 'hi', request: allowed },
  errorForMethod: { text: 'throw method', request: allowed },
  errorForClass: { text: 'throw class', request: allowed },
  errorForGlobal: { text: 'throw global', request: allowed },
  denial: { text: 'hi', request: withoutMethodRole },
};

/** Of each call: what ran in which order, what came of it, and whether all was constructed. */
export interface CallReport {
  readonly trail: readonly string[];
  readonly status: string;
  readonly value: unknown;
  readonly unconstructed: number;
}
export type Report = Readonly<Record<string, CallReport>>;

/** One report for each tool of a form. */
export interface Comparison {
  readonly observed: readonly Report[];
  readonly expected: readonly Report[];
}

/** Each host form with enhancers of all kinds at all levels, all in one application. */
export async function compareAll({
  scopes,
}: Arrangement): Promise<ReadonlyMap<HostForm, Comparison>> {
  const probe = new Probe();
  const globals = { parts: createParts(probe, placementsAt(['global'], scopes)) };
  const prepared = FORMS.map((form, index) => {
    const parts: HostParts[] = [];
    const create = () => {
      const created = createParts(probe, placementsAt(['class', 'method', 'parameter'], scopes));
      parts.push(created);
      return created;
    };
    return { form, fixture: form.build(`tool_${index}`, create), parts };
  });
  const app = await startApplication(prepared, globals);
  const comparisons = new Map<HostForm, Comparison>();
  try {
    for (const { form, fixture } of prepared) {
      const observed: Report[] = [];
      for (const target of fixture.targets) observed.push(await reportOf(app, form, target));
      comparisons.set(form, { observed, expected: fixture.targets.map(expectedReport) });
    }
  } finally {
    await app.close();
  }
  return comparisons;
}

async function reportOf(app: RunningApp, form: HostForm, target: Target): Promise<Report> {
  const report: Record<string, CallReport> = {};
  for (const [name, call] of Object.entries(CALLS)) {
    const { seen, ...rest } = await observeCall(app, form, target, call);
    const unconstructed = seen.filter(({ isConstructed }) => !isConstructed).length;
    report[name] = { ...rest, unconstructed };
  }
  return report;
}

/** Nest's order: global, class, method, then the parameter; of the filters only the nearest. */
function expectedReport({ origin, prelude = [] }: Target): Report {
  const guards = LEVELS_OF_GUARDS.map((level) => `guard ${level}`);
  const before = LEVELS_OF_GUARDS.map((level) => `interceptor ${level} before`);
  const after = LEVELS_OF_GUARDS.map((level) => `interceptor ${level} after`).reverse();
  const pipes = LEVELS.map((level) => `pipe ${level}`);
  const way = (text: string) => [...guards, ...before, ...pipes, ...prelude, `method ${text}!!!!`];
  const caught = (level: string): CallReport => ({
    trail: [...way(`throw ${level}`), `filter ${level}`],
    status: 'success',
    value: `filter ${level} caught ${level}`,
    unconstructed: 0,
  });
  return {
    success: {
      trail: [...way('hi'), ...after],
      status: 'success',
      value: `[[[hi!!!! by ${origin}]]]`,
      unconstructed: 0,
    },
    errorForMethod: caught('method'),
    errorForClass: caught('class'),
    errorForGlobal: caught('global'),
    denial: { trail: ['guard global'], status: 'denied', value: undefined, unconstructed: 0 },
  };
}

const LEVELS_OF_GUARDS = ['global', 'class', 'method'] as const;

function placementsAt(levels: readonly Level[], scopes: Arrangement['scopes']) {
  return levels.flatMap((level) => {
    const kinds: readonly Kind[] = level === 'parameter' ? ['pipe'] : KINDS;
    return kinds.map((kind) => ({ kind, level, scope: scopes[level], label: `${kind} ${level}` }));
  });
}

function scopesOf(
  ofGlobals: EnhancerScope,
  ofClass: EnhancerScope,
  ofMethod: EnhancerScope,
): Arrangement['scopes'] {
  return { global: ofGlobals, class: ofClass, method: ofMethod, parameter: ofMethod };
}
