import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import { resolveReference } from '../subschemas.js';
import { foldCase, JsonType, typeOf, type SchemaShape } from './schema-shape.js';

const ANY: SchemaShape = { types: JsonType.any, refusesEmptyText: false, isPlain: true };
const NEVER: SchemaShape = { types: 0, refusesEmptyText: true, isPlain: true };

const compilers = new WeakMap<JsonSchema, ShapeCompiler>();

/**
 * Compiles a canonical schema (2020-12, references into itself), or a part of it, to what coercion asks
 * of it, once.
 */
export function compileShape(root: JsonSchema, part = root): SchemaShape {
  let compiler = compilers.get(root);
  if (!compiler) compilers.set(root, (compiler = new ShapeCompiler(root)));
  return compiler.compile(part);
}

class ShapeCompiler {
  /** A shape is kept before its parts are compiled, so that a schema may contain itself. */
  private readonly shapes = new Map<object, SchemaShape>();

  constructor(private readonly root: JsonSchema) {}

  compile(schema: unknown): SchemaShape {
    if (schema === false) return NEVER;
    if (schema === null || typeof schema !== 'object') return ANY;
    const known = this.shapes.get(schema);
    if (known) return known;
    const shape: SchemaShape = { types: JsonType.any, refusesEmptyText: false, isPlain: false };
    this.shapes.set(schema, shape);
    this.fill(shape, schema as JsonSchema);
    return shape;
  }

  private fill(shape: SchemaShape, schema: JsonSchema): void {
    this.fillValues(shape, schema);
    this.fillObject(shape, schema);
    const { items, prefixItems, allOf, anyOf, oneOf, $ref } = schema;
    if (items !== undefined && !Array.isArray(items)) shape.items = this.compile(items);
    if (Array.isArray(prefixItems)) shape.prefix = prefixItems.map((one) => this.compile(one));
    const all = [
      ...listOf(allOf),
      ...(typeof $ref === 'string' ? [resolveReference(this.root, $ref) ?? true] : []),
    ];
    const choices = [anyOf, oneOf].filter(Array.isArray);
    if (choices.length === 1) shape.branches = choices[0].map((one) => this.compile(one));
    // Two lists of choices hold both.
    else all.push(...choices.map((choice) => ({ anyOf: choice })));
    if (all.length > 0) shape.all = all.map((one) => this.compile(one));
    const { values, format, properties, prefix, branches } = shape;
    shape.isPlain = ![values, format, properties, prefix, branches, shape.items, shape.all].some(
      (part) => part !== undefined,
    );
  }

  private fillValues(shape: SchemaShape, schema: JsonSchema): void {
    const { enum: list } = schema;
    const values = Array.isArray(list) ? list : 'const' in schema ? [schema.const] : undefined;
    shape.types = typesOf(schema.type) ?? (values ? sumOf(values.map(typeOf)) : JsonType.any);
    // Whole numbers are numbers.
    if (shape.types & JsonType.number) shape.types |= JsonType.integer;
    if (values) {
      shape.values = values;
      shape.folded = foldAll(values.filter((value) => typeof value === 'string'));
    }
    if (typeof schema.format === 'string') shape.format = schema.format;
    shape.isSecret = schema.format === 'password' || schema.writeOnly === true;
    shape.refusesEmptyText =
      values?.includes('') === false || isTextRefused(schema) || shape.format !== undefined;
  }

  private fillObject(shape: SchemaShape, schema: JsonSchema): void {
    const { properties, required, additionalProperties, patternProperties } = schema;
    if (properties === undefined && additionalProperties === undefined) return;
    shape.properties = new Map(
      Object.entries(properties ?? {}).map(([name, one]) => [name, this.compile(one)]),
    );
    shape.required = new Set(Array.isArray(required) ? required : []);
    const rest = patternProperties === undefined ? additionalProperties : true;
    shape.additional = rest === false ? undefined : this.compile(rest ?? true);
  }
}

function typesOf(type: JsonSchema['type']): number | undefined {
  if (typeof type === 'string') return typesOf([type]);
  if (!Array.isArray(type)) return undefined;
  return sumOf(type.map((name) => JsonType[name as keyof typeof JsonType] ?? 0));
}

function sumOf(types: readonly number[]): number {
  return types.reduce((sum, type) => sum | type, 0);
}

function foldAll(values: readonly string[]): ReadonlyMap<string, string | undefined> {
  const folded = new Map<string, string | undefined>();
  for (const value of values) {
    const key = foldCase(value);
    folded.set(key, folded.has(key) ? undefined : value);
  }
  return folded;
}

function isTextRefused({ minLength, pattern }: JsonSchema): boolean {
  if (typeof minLength === 'number' && minLength > 0) return true;
  if (typeof pattern !== 'string') return false;
  try {
    return !new RegExp(pattern, 'u').test('');
  } catch {
    return false;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
