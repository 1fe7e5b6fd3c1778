import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Ajv, ErrorObject } from 'ajv';
import { loadPackage } from '../../utils/load-package.js';
import { createToolSchema } from '../create-tool-schema.js';
import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import type { ToolSchema } from '../interfaces/tool-schema.interface.js';
import { toObjectJsonSchema } from '../object-json-schema.js';
import { SchemaException } from '../schema.exception.js';

type Validate = StandardSchemaV1.Props['validate'];

const USED_FOR = 'A tool with a raw JSON Schema';
const PACKAGES = ['ajv', 'ajv-formats'];
const compilers = new Map<string, Ajv>();

/** A raw JSON Schema, draft 2020-12 or draft-07. `ajv` is loaded with the first one. */
export function fromJsonSchema(source: unknown): ToolSchema | undefined {
  if (!isJsonSchema(source)) return undefined;
  const jsonSchema = toObjectJsonSchema(source);
  return createToolSchema('json-schema', jsonSchema, jsonSchemaValidator(source));
}

export function isJsonSchema(source: unknown): source is JsonSchema {
  if (source === null || typeof source !== 'object' || Array.isArray(source)) return false;
  const keys = Object.keys(source);
  return (
    keys.length === 0 ||
    ['type', 'properties', '$schema', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const'].some(
      (key) => keys.includes(key),
    )
  );
}

/** Checks the schema itself now, so that a mistake stops the boot, and compiles it on first use. */
export function jsonSchemaValidator(schema: JsonSchema): Validate {
  const ajv = compilerFor(schema);
  if (ajv.validateSchema(schema) !== true) {
    throw new SchemaException(
      `This is not a valid JSON Schema: ${ajv.errorsText(ajv.errors, { dataVar: 'schema' })}.`,
    );
  }
  let compiled: ReturnType<Ajv['compile']> | undefined;
  return (value) => {
    compiled ??= ajv.compile(schema);
    if (compiled(value) === true) return { value };
    return { issues: (compiled.errors ?? []).map(toIssue) };
  };
}

function compilerFor(schema: JsonSchema): Ajv {
  const { $schema: uri } = schema;
  const isDraft07 = typeof uri === 'string' && uri.includes('draft-07');
  const dialect = isDraft07 ? 'ajv' : 'ajv/dist/2020.js';
  let ajv = compilers.get(dialect);
  if (!ajv) {
    const { default: Compiler } = loadPackage<{ default: typeof Ajv }>(
      dialect,
      USED_FOR,
      ...PACKAGES,
    );
    // `strict` would refuse what others write (`example`, unknown formats); defaults are filled in.
    ajv = new Compiler({ strict: false, allErrors: true, useDefaults: true, logger: false });
    loadPackage<{ default: (ajv: Ajv) => void }>('ajv-formats', USED_FOR, ...PACKAGES).default(ajv);
    compilers.set(dialect, ajv);
  }
  return ajv;
}

function toIssue(error: ErrorObject): StandardSchemaV1.Issue {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'required') {
    return { path: [...path, String(params.missingProperty)], message: 'is required' };
  }
  if (error.keyword === 'additionalProperties') {
    return { path: [...path, String(params.additionalProperty)], message: 'is not expected' };
  }
  if (error.keyword === 'enum') {
    return { path, message: `must be one of ${JSON.stringify(params.allowedValues)}` };
  }
  return { path, message: error.message ?? `breaks the rule "${error.keyword}"` };
}

function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
