import { KINDS, SCOPES, type EnhancerScope, type Kind } from './enhancers.js';
import { FORMS, type HostForm } from './forms.js';
import { GLOBALS, type GlobalRegistration } from './globals.js';
import type { Level } from './hosts.js';

/** One enhancer at one level of one host. */
export interface MatrixCase {
  readonly form: HostForm;
  readonly kind: Kind;
  readonly level: Level;
  readonly scope: EnhancerScope;
  /** Of a global enhancer only. */
  readonly registration?: GlobalRegistration;
}

const LEVELS_OF: Record<Kind, readonly Level[]> = {
  guard: ['method', 'class'],
  interceptor: ['method', 'class'],
  pipe: ['method', 'class', 'parameter'],
  filter: ['method', 'class'],
};

/** Each of these groups is one application; every case in it has modules of its own. */
export const LOCAL_GROUPS: readonly (readonly MatrixCase[])[] = FORMS.map((form) =>
  KINDS.flatMap((kind) =>
    LEVELS_OF[kind].flatMap((level) => SCOPES.map((scope) => ({ form, kind, level, scope }))),
  ),
);

/** Each of these groups is one application with one global enhancer and a host of each form. */
export const GLOBAL_GROUPS: readonly (readonly MatrixCase[])[] = KINDS.flatMap((kind) =>
  GLOBALS.map((registration) =>
    FORMS.map((form) => ({
      form,
      kind,
      level: 'global' as const,
      scope: registration.scope,
      registration,
    })),
  ),
);

export function titleOf({ kind, level, scope, registration }: MatrixCase): string {
  if (registration) return `${registration.title}, ${kind}`;
  return `${level} ${kind}, ${scope === 'instance' ? 'an instance' : scope}`;
}
