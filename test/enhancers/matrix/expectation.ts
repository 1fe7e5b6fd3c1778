import type { MatrixCase } from './cases.js';
import type { Kind } from './enhancers.js';
import type { Target } from './forms.js';
import {
  CALLS,
  originOf,
  type Call,
  type CallObservation,
  type Observation,
} from './observation.js';
import { CLASS_ROLE, METHOD_ROLE } from './roles.js';

/** What a case must show if the enhancer runs as it would on a controller. */
export function expectationOf(one: MatrixCase, target: Target): Observation {
  const calls = CALLS[one.kind];
  const perRun = isPerRun(one) ? calls.length : 1;
  return {
    listed: 1,
    calls: calls.map((call) => expectedCall(one, target, call)),
    instances: perRun,
    constructions: one.level === 'global' && !isPerRun(one) ? 0 : perRun,
    hosts: hostsOf(one),
  };
}

/** What Nest does differently in the different forms of hosts, and what does not matter. */
export function withoutIncidentals(
  { form, scope }: MatrixCase,
  observed: Observation,
  expected: Observation,
): Observation {
  const { hosts, constructions } = expected;
  const result = { ...observed };
  // A request-scoped enhancer makes its host request-scoped in some forms and not in others.
  if (!form.isScoped && !form.isProxy && scope.startsWith('request-scoped')) result.hosts = hosts;
  // Nest constructs more transient enhancers of classes and controllers than it uses.
  if (scope === 'transient') result.constructions = constructions;
  return result;
}

function hostsOf({ form, kind }: MatrixCase): number {
  // Two of the calls of each kind reach the method.
  return form.isScoped || form.isProxy ? CALLS[kind].filter(isAllowed).length : 1;
}

/** As in Nest, a transient enhancer of a host lives as long as the host. */
function isPerRun({ form, level, scope }: MatrixCase): boolean {
  if (scope === 'transient') return level === 'global' || form.isScoped === true;
  return scope.startsWith('request-scoped');
}

function isAllowed({ request }: Call): boolean {
  return [METHOD_ROLE, CLASS_ROLE].every((role) => request().roles.includes(role));
}

function expectedCall(one: MatrixCase, target: Target, call: Call): CallObservation {
  const { kind } = one;
  const isDenied = kind === 'guard' && !isAllowed(call);
  return {
    status: isDenied ? 'denied' : 'success',
    value: isDenied ? undefined : VALUES[kind](target.origin),
    trail: isDenied ? ['guard'] : TRAILS[kind](target.prelude ?? []),
    seen: [
      {
        isConstructed: true,
        origin: originOf(one, target),
        scopedOrigin: /by (its|a) /.test(one.scope) ? target.origin : undefined,
        view:
          kind === 'pipe'
            ? { type: 'custom', metatype: 'String', data: 'text' }
            : {
                type: 'agent-tool',
                target: target.host,
                ofMethod: METHOD_ROLE,
                ofClass: CLASS_ROLE,
              },
      },
    ],
  };
}

const VALUES: Record<Kind, (origin: string) => string> = {
  guard: (origin) => `hi by ${origin}`,
  interceptor: (origin) => `[hi by ${origin}]`,
  pipe: (origin) => `hi! by ${origin}`,
  filter: () => 'filter caught method',
};

const TRAILS: Record<Kind, (prelude: readonly string[]) => string[]> = {
  guard: (prelude) => ['guard', ...prelude, 'method hi'],
  interceptor: (prelude) => ['interceptor before', ...prelude, 'method hi', 'interceptor after'],
  pipe: (prelude) => ['pipe', ...prelude, 'method hi!'],
  filter: (prelude) => [...prelude, 'method throw method', 'filter'],
};
