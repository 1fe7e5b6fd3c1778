import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { isPlainEnum, enumValues } from './enum-values.js';
import { isLazy, resolveType } from './openapi.type.js';
import { type PropertyFacts, type Shape, shapeOf } from './property-facts.js';

/** The options of `@ApiProperty()`, which the swagger CLI plugin writes in the same form. */
export type OpenApiOptions = Readonly<Record<string, unknown>>;

/** What says how swagger builds its document and nothing about the value. */
const NOT_KEYWORDS: ReadonlySet<string> = new Set(
  (
    'type isArray required selfRequired name nullable enum items ' +
    'enumName enumSchema link xml externalDocs discriminator standardSchema'
  ).split(' '),
);
/** With these, the value is described by OpenAPI itself. */
const STRUCTURE = ['oneOf', 'anyOf', 'allOf', 'properties', 'additionalProperties', '$ref'];
/** swagger moves them from an array to its items. */
const ITEM_KEYWORDS: ReadonlySet<string> = new Set(
  'format maximum minimum exclusiveMaximum exclusiveMinimum maxLength minLength pattern'.split(' '),
);

export function openApiFacts(options: OpenApiOptions, owner: Type): PropertyFacts {
  const { type, isArray: hasFlag } = resolveType(options);
  const isArray = hasFlag || type === 'array' || undefined;
  const keywords: Record<string, unknown> = {};
  const itemKeywords: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || NOT_KEYWORDS.has(key) || key.startsWith('x-')) continue;
    if (STRUCTURE.includes(key)) continue;
    (isArray && ITEM_KEYWORDS.has(key) ? itemKeywords : keywords)[key] = value;
  }
  const values = enumOf(options, type);
  if (values) (isArray ? itemKeywords : keywords).enum = values;
  return {
    // Beside the `required` of an inner object, the property's own has another name.
    isRequired: [options.required, options.selfRequired].find((own) => typeof own === 'boolean'),
    isNullable: typeof options.nullable === 'boolean' ? options.nullable : undefined,
    isArray: isArray ?? (type === undefined ? undefined : false),
    shape: shapeFrom(options, type, owner),
    keywords: toJsonSchemaKeywords(keywords),
    itemKeywords: toJsonSchemaKeywords(itemKeywords),
  };
}

/** OpenAPI 3.0 says with a boolean beside `minimum` what JSON Schema says with a number. */
export function toJsonSchemaKeywords(keywords: Record<string, unknown>): JsonSchema {
  const { example, exclusiveMinimum, exclusiveMaximum, ...rest } = keywords;
  const converted: Record<string, unknown> = rest;
  if (example !== undefined) converted.examples = [example];
  if (typeof exclusiveMinimum === 'number') converted.exclusiveMinimum = exclusiveMinimum;
  if (typeof exclusiveMaximum === 'number') converted.exclusiveMaximum = exclusiveMaximum;
  if (exclusiveMinimum === true) {
    converted.exclusiveMinimum = rest.minimum;
    delete converted.minimum;
  }
  if (exclusiveMaximum === true) {
    converted.exclusiveMaximum = rest.maximum;
    delete converted.maximum;
  }
  if (converted.pattern instanceof RegExp) converted.pattern = converted.pattern.source;
  if (converted.examples && !Array.isArray(converted.examples)) {
    converted.examples = Object.values(converted.examples);
  }
  return converted;
}

function enumOf(options: OpenApiOptions, type: unknown): readonly unknown[] | undefined {
  const items = options.items as OpenApiOptions | undefined;
  if (options.enum !== undefined) return enumValues(options.enum);
  if (isPlainEnum(type)) return enumValues(type);
  return items?.enum === undefined ? undefined : enumValues(items.enum);
}

function shapeFrom(options: OpenApiOptions, type: unknown, owner: Type): Shape | undefined {
  if (STRUCTURE.some((key) => key in options)) {
    const parts = [...STRUCTURE, 'required'].filter((key) => key in options);
    const schema: Record<string, unknown> = Object.fromEntries(
      parts.map((key) => [key, options[key]]),
    );
    if (typeof schema.required === 'boolean') delete schema.required;
    if ('properties' in schema || 'additionalProperties' in schema) schema.type = 'object';
    return { kind: 'openapi', schema, owner };
  }
  const { items } = options;
  if (items !== undefined && !(items as OpenApiOptions).enum) {
    return { kind: 'openapi', schema: items as JsonSchema, owner };
  }
  if (isPlainEnum(type) || type === 'array') return undefined;
  if (typeof type === 'string') return { kind: 'scalar', schema: { type } };
  return shapeOfType(type, owner);
}

/** The shape of a resolved type: a class, a list in a list, or an object literal. */
function shapeOfType(type: unknown, owner: Type): Shape | undefined {
  if (Array.isArray(type)) return { kind: 'list', items: shapeOfType(type[0], owner) };
  if (isLazy(type)) return shapeOfType(type(), owner);
  if (type === null || typeof type !== 'object') return shapeOf(type);
  const properties = Object.entries(type).map(([name, options]) => [
    name,
    openApiFacts(options as OpenApiOptions, owner),
  ]);
  return { kind: 'literal', properties: Object.fromEntries(properties) };
}
