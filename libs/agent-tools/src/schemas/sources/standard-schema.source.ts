import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { canonicalJsonSchema } from '../canonical-json-schema.js';
import { createToolSchema } from '../create-tool-schema.js';
import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import type { SchemaSide, ToolOutputSchema } from '../interfaces/tool-schema.interface.js';
import { SchemaException } from '../schema.exception.js';
import { refuseUndescribable } from '../undescribable.js';
import { withoutNoise } from '../without-noise.js';
import { ARKTYPE } from './vendors/arktype.vendor.js';
import type { SchemaVendor } from './vendors/schema-vendor.interface.js';
import { VALIBOT } from './vendors/valibot.vendor.js';
import { ZOD } from './vendors/zod.vendor.js';

type StandardProps = StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props>;

const VENDORS = new Map<string, SchemaVendor>([
  ['zod', ZOD],
  ['arktype', ARKTYPE],
  ['valibot', VALIBOT],
]);

/**
 * Everything with the Standard Schema and Standard JSON Schema interfaces. Libraries are recognised
 * by that interface, never by `instanceof`, so that two copies of zod do not matter; arktype's
 * types are functions.
 *
 * @param side that is described: with the output side of an input, fields that have a default would
 * become required
 * @see https://standardschema.dev/json-schema
 */
export function fromStandardSchema(
  source: unknown,
  side: SchemaSide = 'input',
): ToolOutputSchema | undefined {
  const standard = standardPropsOf(source);
  if (!standard) return undefined;
  const describe = (described: SchemaSide) => describeStandard(source, standard, described);
  return createToolSchema(
    standard.vendor,
    describe(side),
    (value) => standard.validate(value),
    () => describe('output'),
  );
}

export function standardPropsOf(source: unknown): StandardProps | undefined {
  if (source === null || (typeof source !== 'object' && typeof source !== 'function')) {
    return undefined;
  }
  const standard = (source as Partial<StandardSchemaV1>)['~standard'];
  return typeof standard?.validate === 'function' ? standard : undefined;
}

function describeStandard(source: unknown, standard: StandardProps, side: SchemaSide): JsonSchema {
  const { vendor } = standard;
  const { remedies = {}, itemsRemedy = 'the type of the items' } = VENDORS.get(vendor) ?? {};
  const schema = canonicalJsonSchema(withoutNoise(convert(source, standard, side)));
  // What a tool returns is described to nobody who depends on it, and checked all the same.
  if (side === 'output') return schema;
  try {
    refuseUndescribable(schema, remedies, itemsRemedy);
  } catch (error) {
    throw new SchemaException(`${cannotDescribe(vendor)}: ${(error as Error).message}`);
  }
  return schema;
}

function convert(source: unknown, standard: StandardProps, side: SchemaSide): JsonSchema {
  const { vendor, jsonSchema } = standard;
  const known = VENDORS.get(vendor);
  if (!jsonSchema) {
    if (known?.convert) return known.convert(source, side);
    throw new SchemaException(
      `This ${vendor} schema cannot describe itself as JSON Schema. ` +
        (vendor === 'zod'
          ? 'Update zod to 4.2 or later.'
          : `Use a version of ${vendor} that implements Standard JSON Schema.`),
    );
  }
  try {
    return jsonSchema[side]({
      target: 'draft-2020-12',
      ...(known ? { libraryOptions: known.optionsFor(side) } : {}),
    });
  } catch (error) {
    throw new SchemaException(
      `${cannotDescribe(vendor)}: ${firstLine(error)}. ` +
        'Use a type that JSON knows, such as a string with a format in place of a Date.',
    );
  }
}

function cannotDescribe(vendor: string): string {
  return `${vendor} cannot describe this schema as JSON Schema`;
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0].slice(0, 200).replace(/\.$/, '');
}
