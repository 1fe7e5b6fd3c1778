import type { OpenApiOptions } from './openapi.facts.js';

export interface OpenApiType {
  readonly isArray: boolean;
  readonly type: unknown;
}

/** Resolves `() => Type` and `[Type]`, the forms in which `type` may be written. */
export function resolveType({ type, isArray }: OpenApiOptions): OpenApiType {
  const resolved: unknown = isLazy(type) ? type() : type;
  if (isArray === true || !Array.isArray(resolved)) return { type: resolved, isArray: !!isArray };
  return { type: resolved[0], isArray: true };
}

/** The plugin and people write `type: () => Type`; arrow functions have no prototype. */
export function isLazy(type: unknown): type is () => unknown {
  return typeof type === 'function' && (type.name === 'type' || !type.prototype);
}
