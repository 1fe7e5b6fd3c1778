import type { JsonSchema, ObjectJsonSchema } from '../../interfaces/json-schema.interface.js';
import type { DialectSchema } from '../interfaces/schema-dialect.interface.js';
import { ConversionReport } from './conversion.report.js';
import { Definitions } from './definitions.js';
import type { DialectRules } from './dialect-rules.js';
import { RootResolver } from './root.resolver.js';
import { SchemaConverter } from './schema.converter.js';
import { ROOT_SCOPE, SchemaFlattener } from './schema.flattener.js';

/** For providers that take all of JSON Schema, but at the root only a plain object. */
export function convertRoot(schema: ObjectJsonSchema): DialectSchema {
  const definitions = new Definitions(schema);
  const report = new ConversionReport(false, definitions.root);
  const resolver = new RootResolver(new SchemaFlattener(definitions), report);
  const root = resolver.resolve(definitions.root, ROOT_SCOPE);
  return {
    schema: toInput(root.schema, definitions.named()),
    strict: false,
    losses: report.losses,
    refusals: [],
  };
}

/**
 * For providers that take a part of JSON Schema.
 * A schema that cannot be strict falls back to `convertRoot`.
 */
export function convertSubset(schema: ObjectJsonSchema, rules: DialectRules): DialectSchema {
  const definitions = new Definitions(schema);
  const report = new ConversionReport(rules.isStrict, definitions.root);
  const converter = new SchemaConverter(definitions, rules, report);
  const converted = toInput(converter.convertRoot(), converter.converted);
  const refusals =
    report.refusals.length > 0 ? report.refusals : (rules.findExcess?.(converted) ?? []);
  if (refusals.length > 0) return { ...convertRoot(schema), refusals };
  return { schema: converted, strict: rules.isStrict, losses: report.losses, refusals };
}

function toInput(root: JsonSchema, definitions: ReadonlyMap<string, JsonSchema>): ObjectJsonSchema {
  return {
    ...root,
    type: 'object',
    properties: root.properties ?? {},
    ...(definitions.size > 0 ? { $defs: Object.fromEntries(definitions) } : {}),
  };
}
