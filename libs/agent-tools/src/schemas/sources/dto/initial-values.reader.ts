import type { Type } from '@nestjs/common';

/** What a new instance of a class holds before anything is set. */
export interface InitialValues {
  readonly properties: readonly string[];
  get(property: string): unknown;
  /** The value as JSON, if there is one and every instance gets the same. */
  json(property: string): unknown;
}

const NONE: InitialValues = { properties: [], get: () => undefined, json: () => undefined };

/**
 * Makes two instances, as class-transformer makes them: without arguments. A constructor that
 * throws then only means that nothing is known.
 */
export function readInitialValues(target: Type): InitialValues {
  try {
    const first = new target() as Record<string, unknown>;
    const second = new target() as Record<string, unknown>;
    return {
      properties: Object.keys(first),
      get: (property) => first[property],
      json: (property) => {
        const json = toJson(first[property]);
        return json !== undefined && json === toJson(second[property])
          ? (JSON.parse(json) as unknown)
          : undefined;
      },
    };
  } catch {
    return NONE;
  }
}

/** A date is the moment of the boot more often than a default; a Map would become `{}`. */
function toJson(value: unknown): string | undefined {
  return isJson(value) ? JSON.stringify(value) : undefined;
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every(isJson);
}
