import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { pointerTo } from '../../subschemas.js';

/** From a keyword, or a schema in it (see `keyOf`), to a JSON Pointer into the original. */
type Place = readonly [key: string, pointer: string];

/** What the nodes of one conversion know together. */
class Origins {
  /** Where the keywords of schemas that were put together stand in the original. */
  readonly places = new Map<JsonSchema, ReadonlyMap<string, string>>();
  readonly covered: Place[] = [];
}

/** A schema with the place where it stands in the original, as a JSON Pointer. */
export class SchemaNode {
  constructor(
    readonly schema: JsonSchema,
    readonly path = '',
    private readonly origins = new Origins(),
  ) {}

  /** A schema that stands at another place of the original. */
  at(path: string, schema: JsonSchema): SchemaNode {
    return new SchemaNode(schema, path, this.origins);
  }

  child(schema: JsonSchema, keyword: string, name?: string): SchemaNode {
    return this.at(this.placeOf(keyword, name), schema);
  }

  /** The same node with a new schema; `places` names what did not come from this one. */
  derive(schema: JsonSchema, places: readonly Place[] = []): SchemaNode {
    const inherited = this.origins.places.get(this.schema);
    if (places.length > 0) {
      this.origins.places.set(schema, new Map([...(inherited ?? []), ...places]));
    } else if (inherited) this.origins.places.set(schema, inherited);
    return this.at(this.path, schema);
  }

  without(keyword: string): SchemaNode {
    const { [keyword]: _dropped, ...rest } = this.schema;
    return this.derive(rest);
  }

  /** A schema that is made of several ones. */
  compose(keyword: 'allOf' | 'anyOf', parts: readonly SchemaNode[]): JsonSchema {
    const schema: JsonSchema = { [keyword]: parts.map((part) => part.schema) };
    const places = parts.map((part, index) => [keyOf(keyword, String(index)), part.path] as const);
    this.origins.places.set(schema, new Map(places));
    return schema;
  }

  /** The place of a keyword, or of a schema in it. */
  placeOf(keyword: string, name?: string): string {
    const origins = this.origins.places.get(this.schema);
    const whole = origins?.get(keyword);
    if (name === undefined) return whole ?? pointerTo(this.path, { keyword });
    const own = origins?.get(keyOf(keyword, name));
    if (own !== undefined) return own;
    return whole === undefined
      ? pointerTo(this.path, { keyword, key: name })
      : pointerTo(whole, { keyword: name });
  }

  /** Notes that what stands at one place says the same as another one, or more. */
  cover(place: string, other: string): void {
    this.origins.covered.push([place, other]);
  }

  /** Places together with those that they cover, which are gone with them. */
  withCovered(places: Iterable<string>): string[] {
    const { covered } = this.origins;
    // With the covers that led there: a place may cover one within itself, which must not go on.
    const all = new Map([...places].map((place) => [place, [] as readonly Place[]]));
    // A map that grows while it is read is read to its end.
    for (const [place, used] of all) {
      for (const cover of covered) {
        const [covering, other] = cover;
        const isWithin = place === covering || place.startsWith(`${covering}/`);
        const next = other + place.slice(covering.length);
        if (isWithin && !used.includes(cover) && !all.has(next)) all.set(next, [...used, cover]);
      }
    }
    return [...all.keys()];
  }
}

export function keyOf(keyword: string, name: string): string {
  return `${keyword}/${name}`;
}
