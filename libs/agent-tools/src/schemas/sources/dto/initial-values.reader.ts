import type { Type } from '@nestjs/common';
import { errorMessage } from '../../../utils/error-message.js';

/** What a new instance of a class holds before anything is set. */
export interface InitialValues {
  readonly properties: readonly string[];
  get(property: string): unknown;
  /** The value as JSON, if there is one and every instance gets the same. */
  json(property: string): unknown;
  /** Why no instance can be made. */
  readonly error?: string;
}

export const NO_VALUES: InitialValues = {
  properties: [],
  get: () => undefined,
  json: () => undefined,
};

/** Makes an instance as class-transformer makes it: without arguments. */
export function readInitialValues(target: Type): InitialValues {
  let first: Instance;
  try {
    first = new target() as Instance;
  } catch (error) {
    return { ...NO_VALUES, error: errorMessage(error) };
  }
  // Another one shows what differs from instance to instance, such as a random id.
  let second: Instance | undefined;
  return {
    properties: Object.keys(first),
    get: (property) => first[property],
    json: (property) => {
      const json = toJson(first[property]);
      if (json === undefined) return undefined;
      second ??= instanceOf(target);
      return json === toJson(second?.[property]) ? (JSON.parse(json) as unknown) : undefined;
    },
  };
}

type Instance = Readonly<Record<string, unknown>>;

function instanceOf(target: Type): Instance | undefined {
  try {
    return new target() as Instance;
  } catch {
    return undefined;
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
