import type { EnhancerKind } from '../../tools/tool-metadata.accessor.js';

const METHODS: Readonly<Record<EnhancerKind, string>> = {
  guard: 'canActivate',
  interceptor: 'intercept',
  pipe: 'transform',
  filter: 'catch',
};

export const KINDS = Object.keys(METHODS) as readonly EnhancerKind[];

/**
 * The object whose method runs: the instance, or the class where that method is static, as Nest
 * accepts it.
 *
 * @throws Error if neither has the method
 */
export function enhancerOf<T extends object>(
  kind: EnhancerKind,
  declared: unknown,
  instance: unknown,
): T {
  if (implementsKind(instance, kind)) return instance as T;
  if (implementsKind(declared, kind)) return declared as T;
  throw new Error(
    `"${enhancerName(declared)}" is used as a ${kind} but has no method "${METHODS[kind]}".`,
  );
}

export function enhancerName(enhancer: unknown): string {
  return typeof enhancer === 'function'
    ? enhancer.name
    : ((enhancer as object | null)?.constructor?.name ?? String(enhancer));
}

function implementsKind(candidate: unknown, kind: EnhancerKind): boolean {
  return (
    typeof (candidate as Record<string, unknown> | null | undefined)?.[METHODS[kind]] === 'function'
  );
}
