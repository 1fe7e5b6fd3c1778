import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { createToolSchema } from '../create-tool-schema.js';
import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import type { ToolSchema } from '../interfaces/tool-schema.interface.js';
import { toObjectJsonSchema } from '../object-json-schema.js';
import { SchemaException } from '../schema.exception.js';

type StandardProps = StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props>;

/**
 * Everything with the Standard Schema and Standard JSON Schema interfaces. Libraries are recognised
 * by that interface, never by `instanceof`, so that two copies of zod do not matter; arktype's
 * types are functions.
 *
 * @see https://standardschema.dev/json-schema
 */
export function fromStandardSchema(source: unknown): ToolSchema | undefined {
  const standard = standardPropsOf(source);
  if (!standard) return undefined;
  return createToolSchema(
    standard.vendor,
    toObjectJsonSchema(standardToJsonSchema(standard)),
    standard.validate,
  );
}

export function standardPropsOf(source: unknown): StandardProps | undefined {
  if (source === null || (typeof source !== 'object' && typeof source !== 'function')) {
    return undefined;
  }
  const standard = (source as Partial<StandardSchemaV1>)['~standard'];
  return typeof standard?.validate === 'function' ? standard : undefined;
}

/** Always the *input* side: with the output side, fields that have a default become required. */
export function standardToJsonSchema(standard: StandardProps): JsonSchema {
  if (!standard.jsonSchema) {
    throw new SchemaException(
      `This ${standard.vendor} schema cannot describe itself as JSON Schema. ` +
        (standard.vendor === 'zod'
          ? 'Update zod to 4.2 or later.'
          : `Use a version of ${standard.vendor} that implements Standard JSON Schema.`),
    );
  }
  try {
    return withoutNoise(standard.jsonSchema.input({ target: 'draft-2020-12' }));
  } catch (error) {
    throw new SchemaException(
      `${standard.vendor} cannot describe this schema as JSON Schema: ${firstLine(error)}. ` +
        'Use a type that JSON knows, such as a string with a format in place of a Date.',
    );
  }
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0].slice(0, 200).replace(/\.$/, '');
}

/**
 * zod writes the safe-integer range on every `int()`, which tells a model nothing. What has none of
 * it is returned as it is.
 */
function withoutNoise(node: JsonSchema): JsonSchema {
  return cleaned(node) as JsonSchema;
}

function cleaned(node: unknown): unknown {
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) {
    const items = node.map(cleaned);
    return items.every((item, index) => item === node[index]) ? node : items;
  }
  const copy: Record<string, unknown> = {};
  let hasChanged = false;
  for (const [key, value] of Object.entries(node)) {
    const isNoise =
      (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
      (key === 'maximum' && value === Number.MAX_SAFE_INTEGER);
    if (!isNoise) copy[key] = cleaned(value);
    hasChanged ||= isNoise || copy[key] !== value;
  }
  return hasChanged ? copy : node;
}
