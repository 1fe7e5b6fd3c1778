import type { ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import { toCanonical } from './canonical-schema.js';
import { ConversionReport } from './conversion.report.js';
import type { DialectRules } from './interfaces/dialect-rules.interface.js';
import type { DialectSchema, SchemaDialect } from './interfaces/schema-dialect.interface.js';
import { RootResolver } from './root.resolver.js';
import { SchemaOrigins } from './schema-node.js';
import { SchemaConverter } from './schema.converter.js';
import { SchemaFlattener } from './schema.flattener.js';

/** For providers that take all of JSON Schema, but at the root only a plain object. */
export function convertRoot(schema: ObjectJsonSchema): DialectSchema {
  const origins = new SchemaOrigins();
  const report = new ConversionReport(false, origins);
  const canonical = toCanonical(schema);
  let { root } = canonical;
  if (!RootResolver.isPlain(root)) {
    const flattener = new SchemaFlattener(canonical, origins);
    const scope = { definition: '', isRequired: true, inlined: [''] };
    const node = { schema: root, path: '' };
    root = new RootResolver(flattener, origins, report).resolve(node, scope).schema;
  }
  const { definitions } = canonical;
  return {
    schema: {
      ...root,
      type: 'object',
      properties: root.properties ?? {},
      ...(definitions.size > 0 ? { $defs: Object.fromEntries(definitions) } : {}),
    },
    strict: false,
    losses: report.losses,
    refusals: [],
  };
}

/** For providers that take only a part of JSON Schema. */
export function convertSubset(schema: ObjectJsonSchema, rules: DialectRules): DialectSchema {
  const origins = new SchemaOrigins();
  const report = new ConversionReport(false, origins);
  const converted = new SchemaConverter(toCanonical(schema), rules, report, origins).convert();
  return { schema: converted, strict: false, losses: report.losses, refusals: [] };
}

/**
 * For strict tools: one that cannot be kept falls back to the plain dialect of the same provider.
 *
 * @param findExcess which limits of the provider a converted schema exceeds
 */
export function convertStrict(
  schema: ObjectJsonSchema,
  rules: DialectRules,
  plain: SchemaDialect,
  findExcess: (schema: ObjectJsonSchema) => readonly string[],
): DialectSchema {
  const origins = new SchemaOrigins();
  const report = new ConversionReport(true, origins);
  const converted = new SchemaConverter(toCanonical(schema), rules, report, origins).convert();
  const refusals = report.refusals.length > 0 ? report.refusals : findExcess(converted);
  if (refusals.length > 0) return { ...plain(schema), refusals };
  return { schema: converted, strict: true, losses: report.losses, refusals: [] };
}
