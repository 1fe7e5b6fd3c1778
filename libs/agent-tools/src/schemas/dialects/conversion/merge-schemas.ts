import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { hasConstraints, isConstraint, isSame, typesOf } from './keywords.js';
import { mergeProperties } from './merge-properties.js';
import type { SchemaNode } from './schema-node.js';

/** `never`: no value can satisfy both. `undefined`: one schema cannot say both. */
type Merged = SchemaNode | 'never' | undefined;

const OBJECT_KEYWORDS = new Set(['properties', 'additionalProperties', 'patternProperties']);
/** Their meaning depends on the other keywords beside them. */
const UNMERGEABLE = ['unevaluatedProperties', 'unevaluatedItems', 'prefixItems'];
const LARGER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const SMALLER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

/** One schema that says what two say together, without `$ref`. Annotations of the first one win. */
export function mergeSchemas(left: SchemaNode, right: SchemaNode): Merged {
  if (!hasConstraints(right.schema) || !hasConstraints(left.schema)) {
    return adopt(left, right);
  }
  if (UNMERGEABLE.some((keyword) => keyword in left.schema || keyword in right.schema)) {
    return undefined;
  }
  const a = withEnum(left);
  const b = withEnum(right);
  if ('if' in a.schema && 'if' in b.schema) return undefined;
  if ('contains' in a.schema && 'contains' in b.schema) return undefined;
  const object = mergeProperties(a, b);
  if (object === undefined || object === 'never') return object;
  const merged: Record<string, unknown> = { ...withoutObject(a.schema), ...object.schema };
  const places = [...object.places];
  for (const [keyword, value] of Object.entries(withoutObject(b.schema))) {
    const place: [string, string] = [keyword, b.placeOf(keyword)];
    const own = merged[keyword];
    if (own === undefined) {
      merged[keyword] = value;
      places.push(place);
      continue;
    }
    if (!isConstraint(keyword)) continue;
    const placeOfOwn = a.placeOf(keyword);
    if (isSame(own, value)) {
      a.cover(placeOfOwn, place[1]);
      continue;
    }
    if (keyword === 'items') {
      if (typeof own !== 'object' || typeof value !== 'object') return undefined;
      merged.items = a.compose('allOf', [
        a.child(own as JsonSchema, 'items'),
        b.child(value as JsonSchema, 'items'),
      ]);
      continue;
    }
    const combined = combine(keyword, own, value);
    if (combined === undefined) return undefined;
    if (Array.isArray(combined) && combined.length === 0) return 'never';
    merged[keyword] = combined;
    if (isSame(combined, value)) {
      places.push(place);
      a.cover(place[1], placeOfOwn);
    } else a.cover(placeOfOwn, place[1]);
  }
  return a.derive(merged, places);
}

/** The intersection of two lists of types; an integer is a number. */
export function intersectTypes(a: readonly string[], b: readonly string[]): string[] {
  const has = (list: readonly string[], type: string) =>
    list.includes(type) || (type === 'integer' && list.includes('number'));
  return [...new Set([...a.filter((type) => has(b, type)), ...b.filter((type) => has(a, type))])];
}

function combine(keyword: string, a: unknown, b: unknown): unknown {
  if (LARGER.has(keyword)) return Math.max(a as number, b as number);
  if (SMALLER.has(keyword)) return Math.min(a as number, b as number);
  if (keyword === 'uniqueItems') return Boolean(a) || Boolean(b);
  if (keyword === 'required') return [...new Set([...(a as string[]), ...(b as string[])])];
  if (keyword === 'type') {
    const types = intersectTypes(
      typesOf({ type: a as string | string[] }),
      typesOf({ type: b as string | string[] }),
    );
    return types.length === 1 ? types[0] : types;
  }
  if (keyword === 'enum') {
    return (a as unknown[]).filter((value) => (b as unknown[]).some((item) => isSame(item, value)));
  }
  return undefined;
}

/** Where only one of the two decides about values, the other one gives its annotations. */
function adopt(left: SchemaNode, right: SchemaNode): SchemaNode {
  const isLeft = hasConstraints(left.schema);
  const [source, other] = isLeft ? [left, right] : [right, left];
  const schema = { ...right.schema, ...left.schema };
  const keywords = Object.keys(other.schema).filter(
    (keyword) => !isLeft || !(keyword in left.schema),
  );
  return source.derive(
    schema,
    keywords.map((keyword) => [keyword, other.placeOf(keyword)] as const),
  );
}

function withEnum(node: SchemaNode): SchemaNode {
  if (!('const' in node.schema)) return node;
  const { const: value, ...rest } = node.schema;
  const values = rest.enum?.filter((item) => isSame(item, value)) ?? [value];
  return node.derive({ ...rest, enum: values }, [['enum', node.placeOf('const')]]);
}

function withoutObject(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !OBJECT_KEYWORDS.has(keyword)),
  );
}
