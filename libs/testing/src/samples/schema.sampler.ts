import type { JsonSchema, ObjectJsonSchema } from 'nestjs-agent-tools';
import { arraySamples } from './array.samples.js';
import { numberSamples } from './number.samples.js';
import { objectSamples } from './object.samples.js';
import { toSchema, toSchemas, type AnySchema } from './plain-schema.js';
import type { InnerSamples, Place } from './sample.place.js';
import { SampleException } from './sample.exception.js';
import { SchemaMatcher } from './schema.matcher.js';
import { mergeSchemas } from './schema.merger.js';
import { SchemaResolver } from './schema.resolver.js';
import { stringSamples } from './string.samples.js';
import { typesOf } from './schema.types.js';

/** How many values are tried for one schema, and for all of them. */
const TRIES = 1_000;
const ALL_TRIES = 50_000;
/** Optional properties that are deeper in are left out. */
const MAX_DEPTH = 6;

/** Makes values that fit a schema: likely ones are made, tested, and the first that fits is taken. */
export class SchemaSampler implements InnerSamples {
  private readonly resolver: SchemaResolver;
  private readonly matcher: SchemaMatcher;
  private readonly firsts = new Map<AnySchema, unknown>();
  private failure?: SampleException;
  private tries = 0;

  constructor(
    private readonly schema: ObjectJsonSchema,
    private readonly optional: boolean,
  ) {
    this.resolver = new SchemaResolver(schema);
    this.matcher = new SchemaMatcher(this.resolver);
  }

  /** @throws SampleException if no value was found */
  sample(): unknown {
    const place = { path: '', refs: ['#'] };
    const value = this.first(this.schema, place);
    if (value === undefined) throw this.failure ?? new SampleException(place.path, this.schema);
    return value;
  }

  first(schema: AnySchema, place: Place): unknown {
    if (this.firsts.has(schema)) return this.firsts.get(schema);
    for (const value of this.values(schema, place)) {
      if (typeof schema === 'object') this.firsts.set(schema, value);
      return value;
    }
    return undefined;
  }

  *values(schema: AnySchema, place: Place): Generator<unknown> {
    let tries = 0;
    let isFound = false;
    for (const value of this.candidates(schema, place)) {
      if (++tries > TRIES || ++this.tries > ALL_TRIES) break;
      if (!this.matcher.matches(schema, value)) continue;
      isFound = true;
      yield value;
    }
    // A recursion that ends says nothing of use; the deepest failure, which is the first, does.
    if (!isFound && tries > 0) this.failure ??= new SampleException(place.path, schema);
  }

  private *candidates(schema: AnySchema, place: Place): Generator<unknown> {
    if (schema === false) return;
    if (schema === true) return yield* stringSamples({});
    const { default: byDefault, examples, const: only, enum: listed } = schema;
    if (byDefault !== undefined) yield byDefault;
    if (Array.isArray(examples)) yield* examples as readonly unknown[];
    if (only !== undefined) return yield only;
    if (Array.isArray(listed)) return yield* listed as readonly unknown[];
    const expanded = this.expand(schema, place);
    if (!expanded) return yield* this.byType(schema, place);
    for (const { part, refs } of expanded) yield* this.candidates(part, { ...place, refs });
  }

  /** Puts what one keyword leads to into the schema itself. Undefined if there is no such keyword. */
  private expand(
    schema: JsonSchema,
    { path, refs }: Place,
  ): { part: AnySchema; refs: readonly string[] }[] | undefined {
    const { $ref, anyOf, oneOf, if: condition, then, else: otherwise, allOf, ...rest } = schema;
    if (typeof $ref === 'string') {
      if (refs.includes($ref)) return [];
      const target = this.resolver.resolve($ref);
      if (target === undefined) this.failure ??= new SampleException(path, schema);
      const others = { ...schema, $ref: undefined };
      return [{ part: merge(others, target ?? false), refs: [...refs, $ref] }];
    }
    const choose = (others: JsonSchema, options: unknown) =>
      nullLast(toSchemas(options)).map((option) => ({ part: merge(others, option), refs }));
    if (Array.isArray(anyOf)) return choose({ ...schema, anyOf: undefined }, anyOf);
    if (Array.isArray(oneOf)) return choose({ ...schema, oneOf: undefined }, oneOf);
    if (condition !== undefined) {
      const asked = toSchema(condition) ?? true;
      const yes = { allOf: [asked, toSchema(then) ?? true] };
      return choose({ ...rest, allOf }, [yes, toSchema(otherwise) ?? true]);
    }
    if (!Array.isArray(allOf) || allOf.length === 0) return undefined;
    const [head, ...tail] = toSchemas(allOf);
    return [{ part: merge({ ...schema, allOf: tail }, head), refs }];
  }

  private *byType(schema: JsonSchema, place: Place): Generator<unknown> {
    const isNear = place.path.split('/').length <= MAX_DEPTH;
    for (const type of typesOf(schema)) {
      if (type === 'object') yield* objectSamples(schema, place, this, this.optional && isNear);
      if (type === 'array') yield* arraySamples(schema, place, this);
      if (type === 'string') yield* stringSamples(schema);
      if (type === 'integer' || type === 'number') yield* numberSamples(schema, type === 'integer');
      if (type === 'boolean') yield* [true, false];
      if (type === 'null') yield null;
    }
  }
}

function merge(schema: JsonSchema, part: AnySchema): AnySchema {
  if (part === false) return false;
  const defined = Object.entries(schema).filter(([, value]) => value !== undefined);
  const own = Object.fromEntries(defined) as JsonSchema;
  return part === true ? own : mergeSchemas(own, part);
}

function nullLast(options: readonly AnySchema[]): readonly AnySchema[] {
  const isNull = (option: AnySchema): boolean =>
    typeof option === 'object' && (option.type === 'null' || option.const === null);
  return options.toSorted((a, b) => Number(isNull(a)) - Number(isNull(b)));
}
