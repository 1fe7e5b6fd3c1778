import { foreignType } from './foreign-type.js';
import type { SchemaVendor } from './schema-vendor.interface.js';

interface ZodDefinition {
  readonly type: string;
  readonly values?: readonly unknown[];
}

interface ZodConversion {
  readonly zodSchema: { readonly _zod: { readonly def: ZodDefinition } };
  readonly jsonSchema: object;
}

const FOREIGN_TYPES = new Set([
  'date',
  'bigint',
  'map',
  'set',
  'symbol',
  'undefined',
  'void',
  'nan',
  'custom',
  'file',
  'function',
  'transform',
]);

export const ZOD: SchemaVendor = {
  optionsFor: (side) => ({
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }: ZodConversion) => {
      const name = foreignTypeOf(zodSchema._zod.def);
      if (name !== undefined) Object.assign(jsonSchema, foreignType(name, side));
    },
  }),
  remedies: {
    date: 'z.iso.datetime(), or z.codec(z.iso.datetime(), z.date(), …) where the method needs a Date,',
    bigint: 'z.int(), or z.string() for its digits,',
    map: 'z.record()',
    set: 'z.array()',
    undefined: '.optional()',
    void: '.optional()',
    transform: 'z.string().transform(…)',
    nan: 'z.number()',
    file: 'z.url(), or z.base64(),',
    other: 'a type that JSON knows, with .refine() for the rule,',
  },
  itemsRemedy: 'z.array(z.string()), for example',
};

function foreignTypeOf({ type, values = [] }: ZodDefinition): string | undefined {
  if (type !== 'literal') return FOREIGN_TYPES.has(type) ? type : undefined;
  const types = values.map((value) => typeof value);
  return types.find((name) => name === 'undefined' || name === 'bigint');
}
