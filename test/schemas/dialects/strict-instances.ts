import fc from 'fast-check';
import type { JsonSchema } from 'nestjs-agent-tools';

const STRINGS = [
  '',
  'x',
  'y',
  'ab',
  'abcdef',
  'k',
  'o',
  '2024-02-29',
  'a@b.example',
  'https://a.b',
];
const UUID = '123e4567-e89b-42d3-a456-426614174000';
const MAX_DEPTH = 6;

/** Values that a strict schema describes; those that break a limit must still be filtered out. */
export function instancesOf(root: JsonSchema): fc.Arbitrary<unknown> {
  return instances(root, root, 0);
}

function instances(root: JsonSchema, schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const { $ref, anyOf, type } = schema;
  if ($ref !== undefined) return instances(root, resolve(root, $ref), depth);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(anyOf)) {
    const variants = anyOf as JsonSchema[];
    // Deep inside a recursive schema only a way out ends it.
    const end = depth > MAX_DEPTH && variants.find((variant) => variant.type === 'null');
    if (end) return fc.constant(null);
    return fc.oneof(...variants.map((variant) => instances(root, variant, depth + 1)));
  }
  const types = Array.isArray(type) ? (type as string[]) : [String(type)];
  return fc.oneof(...types.map((one) => ofType(root, schema, one, depth)));
}

function ofType(
  root: JsonSchema,
  schema: JsonSchema,
  type: string,
  depth: number,
): fc.Arbitrary<unknown> {
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: -60, max: 60 });
  if (type === 'number') return fc.oneof(fc.integer({ min: -60, max: 60 }), fc.constant(1.5));
  if (type === 'string') return fc.constantFrom(...STRINGS, UUID);
  if (type === 'array') {
    const {
      minItems = 0,
      maxItems = 3,
      items,
    } = schema as { minItems?: number; maxItems?: number } & {
      items: JsonSchema;
    };
    const maxLength = depth > MAX_DEPTH ? minItems : Math.max(minItems, Math.min(3, maxItems));
    if (maxLength === 0) return fc.constant([]);
    return fc.array(instances(root, items, depth + 1), { minLength: minItems, maxLength });
  }
  const entries = Object.entries(schema.properties ?? {});
  const required = schema.required ?? [];
  const model = Object.fromEntries(
    entries
      .filter(([name]) => depth <= MAX_DEPTH || required.includes(name))
      .map(([name, child]) => [name, instances(root, child, depth + 1)]),
  );
  return fc.record(model, { requiredKeys: required.filter((name) => name in model) });
}

function resolve(root: JsonSchema, ref: string): JsonSchema {
  if (ref === '#') return root;
  const name = ref.slice('#/$defs/'.length).replaceAll('~1', '/').replaceAll('~0', '~');
  return root.$defs?.[name] ?? {};
}
