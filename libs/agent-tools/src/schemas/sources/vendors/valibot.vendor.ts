import { loadPackage } from '../../../utils/load-package.js';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import type { SchemaSide } from '../../interfaces/tool-schema.interface.js';
import { foreignType } from './foreign-type.js';
import type { SchemaVendor } from './schema-vendor.interface.js';

interface ValibotConversion {
  readonly valibotSchema: { readonly type: string };
  readonly jsonSchema: JsonSchema;
  readonly errors?: readonly string[];
}

/** The part of `@valibot/to-json-schema` that is used. It is an optional peer dependency. */
interface ValibotConverter {
  toJsonSchema(schema: unknown, config: Record<string, unknown>): JsonSchema;
}

export const VALIBOT: SchemaVendor = {
  optionsFor,
  /** Valibot describes itself through a package of its own, loaded with the first of its schemas. */
  convert: (source, side) =>
    loadPackage<ValibotConverter>(
      '@valibot/to-json-schema',
      'A tool with a valibot schema',
    ).toJsonSchema(source, { typeMode: side, target: 'draft-2020-12', ...optionsFor(side) }),
  remedies: {
    date: 'v.pipe(v.string(), v.isoTimestamp()), with v.toDate() where the method needs a Date,',
    bigint: 'v.pipe(v.number(), v.integer()), or v.pipe(v.string(), v.digits()),',
    map: 'v.record()',
    set: 'v.array()',
    undefined: 'v.optional()',
    void: 'v.optional()',
    other: 'a type that JSON knows, with v.check() for the rule,',
  },
  itemsRemedy: 'v.array(v.string()), for example',
};

function optionsFor(side: SchemaSide): Record<string, unknown> {
  return {
    // Rules that JSON Schema does not know, such as v.check(), are left to the validation.
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema, jsonSchema, errors }: ValibotConversion) =>
      errors && Object.keys(jsonSchema).length === 0
        ? foreignType(valibotSchema.type, side)
        : undefined,
  };
}
