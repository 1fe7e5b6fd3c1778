import type { AnySchema } from './plain-schema.js';

/** Where in the arguments a value stands. */
export interface Place {
  /** A JSON pointer. */
  readonly path: string;
  /** The references that lead here. None is followed twice, so that a recursive schema has an end. */
  readonly refs: readonly string[];
}

/** Makes the values of inner schemas. */
export interface InnerSamples {
  /** The simplest value; undefined if there is none. */
  first(schema: AnySchema, place: Place): unknown;
  /** Values, the simplest first. */
  values(schema: AnySchema, place: Place): Iterable<unknown>;
}

const MANY = 100;

/** The values of a schema after the first one. */
export function* otherValues(
  inner: InnerSamples,
  schema: AnySchema,
  place: Place,
): Generator<unknown> {
  let count = 0;
  for (const value of inner.values(schema, place)) {
    if (count > 0) yield value;
    if (++count > MANY) return;
  }
}

export function placeIn({ path, refs }: Place, step: string | number): Place {
  return { path: `${path}/${step}`, refs };
}
