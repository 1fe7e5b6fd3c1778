import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import { escapePointer } from './json-pointer.js';

/** A schema with the place where it stands in the original, as a JSON Pointer. */
export interface SchemaNode {
  readonly schema: JsonSchema;
  readonly path: string;
}

/** Where the keywords of schemas that were put together stand in the original. */
export class SchemaOrigins {
  private readonly origins = new WeakMap<JsonSchema, ReadonlyMap<string, string>>();

  private readonly covered: (readonly [string, string])[] = [];

  /** Notes that what stands at one place says the same as another one, or more. */
  cover(place: string, other: string): void {
    this.covered.push([place, other]);
  }

  /** Places together with those that they cover, which are gone with them. */
  withCovered(places: Iterable<string>): string[] {
    const all = new Set(places);
    if (this.covered.length === 0) return [...all];
    // A set that grows while it is read is read to its end.
    for (const place of all) {
      for (const [covering, other] of this.covered) {
        const isWithin = place === covering || place.startsWith(`${covering}/`);
        if (isWithin) all.add(other + place.slice(covering.length));
      }
    }
    return [...all];
  }

  /** The place of a keyword, or of a schema in it. */
  placeOf({ schema, path }: SchemaNode, keyword: string, name?: string): string {
    const origins = this.origins.get(schema);
    const own = name === undefined ? undefined : origins?.get(keyOf(keyword, name));
    if (own !== undefined) return own;
    const place = origins?.get(keyword) ?? `${path}/${escapePointer(keyword)}`;
    return name === undefined ? place : `${place}/${escapePointer(name)}`;
  }

  child(node: SchemaNode, schema: JsonSchema, keyword: string, name?: string): SchemaNode {
    return { schema, path: this.placeOf(node, keyword, name) };
  }

  /** Makes a node of a new schema; `places` names what did not come from `source`. */
  derive(
    source: SchemaNode,
    schema: JsonSchema,
    places: readonly (readonly [string, string])[] = [],
  ): SchemaNode {
    const inherited = this.origins.get(source.schema);
    if (places.length > 0) this.origins.set(schema, new Map([...(inherited ?? []), ...places]));
    else if (inherited) this.origins.set(schema, inherited);
    return { schema, path: source.path };
  }

  /** A schema that asks for both. */
  both(a: JsonSchema, placeOfA: string, b: JsonSchema, placeOfB: string): JsonSchema {
    const schema: JsonSchema = { allOf: [a, b] };
    const places = [
      [keyOf('allOf', '0'), placeOfA],
      [keyOf('allOf', '1'), placeOfB],
    ] as const;
    this.origins.set(schema, new Map(places));
    return schema;
  }
}

export function keyOf(keyword: string, name: string): string {
  return `${keyword}/${name}`;
}
