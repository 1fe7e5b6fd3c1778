import type { JsonSchema } from '../interfaces/json-schema.interface.js';

const BUILT_IN = new Map<unknown, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [Date, { type: 'string', format: 'date-time' }],
]);

/** `Object`, `Array`, `Map` … are left out: TypeScript's metadata does not say what they hold. */
const OPAQUE = new Set<unknown>([
  Object,
  Array,
  Function,
  Map,
  Set,
  WeakMap,
  WeakSet,
  Symbol,
  BigInt,
  Promise,
  RegExp,
  Error,
  ArrayBuffer,
  Uint8Array,
  Buffer,
  URL,
]);

/** The schema of what `design:type` and `design:paramtypes` hold for a built-in type. */
export function describeBuiltIn(type: unknown): JsonSchema | undefined {
  return BUILT_IN.get(type);
}

export function isBuiltIn(type: unknown): boolean {
  return BUILT_IN.has(type) || OPAQUE.has(type);
}
