import type { Ajv } from 'ajv';
import { loadPackage } from '../../utils/load-package.js';
import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import { SchemaException } from '../schema.exception.js';
import { forEachSubschema } from '../subschemas.js';

const USED_FOR = 'A tool with a raw JSON Schema';
const PACKAGES = ['ajv', 'ajv-formats'];

const DRAFT_07 = 'ajv';
const DRAFT_2019_09 = 'ajv/dist/2019.js';
const DRAFT_2020_12 = 'ajv/dist/2020.js';

const compilers = new Map<string, Ajv>();

/**
 * The compiler for the dialect of a schema. `ajv` is loaded with the first one.
 *
 * @param allErrors whether what it compiles looks for every problem, or stops at the first one
 */
export function compilerFor(schema: JsonSchema, allErrors: boolean): Ajv {
  const { hasId, isDraft07 } = traitsOf(schema);
  const dialect = dialectOf(schema.$schema, isDraft07);
  // Ajv keeps every `$id` that it has seen, and two tools may use the same one.
  if (hasId) return createCompiler(dialect, allErrors);
  const key = `${dialect} ${allErrors}`;
  const known = compilers.get(key) ?? createCompiler(dialect, allErrors);
  compilers.set(key, known);
  return known;
}

/** Whether a schema has what only draft-04 and OpenAPI 3.0 know, and no compiler takes. */
export function isOpenApiLike(schema: JsonSchema): boolean {
  return traitsOf(schema).isOpenApiLike;
}

interface Traits {
  readonly hasId: boolean;
  readonly isDraft07: boolean;
  readonly isOpenApiLike: boolean;
}

function traitsOf(schema: JsonSchema): Traits {
  let { hasId, isDraft07, isOpenApiLike }: Traits = {
    hasId: schema.$id !== undefined || schema.$anchor !== undefined,
    isDraft07: Array.isArray(schema.items) || 'additionalItems' in schema,
    isOpenApiLike:
      'nullable' in schema ||
      typeof schema.exclusiveMinimum === 'boolean' ||
      typeof schema.exclusiveMaximum === 'boolean',
  };
  forEachSubschema(schema, (child) => {
    const traits = traitsOf(child);
    hasId ||= traits.hasId;
    isDraft07 ||= traits.isDraft07;
    isOpenApiLike ||= traits.isOpenApiLike;
  });
  return { hasId, isDraft07, isOpenApiLike };
}

/** Without `$schema`, the form of a tuple tells draft-07 from its successors. */
function dialectOf(uri: unknown, isDraft07: boolean): string {
  if (uri === undefined) return isDraft07 ? DRAFT_07 : DRAFT_2020_12;
  const text = String(uri);
  if (text.includes('draft-07')) return DRAFT_07;
  if (text.includes('2019-09')) return DRAFT_2019_09;
  if (text.includes('2020-12')) return DRAFT_2020_12;
  throw new SchemaException(
    `The JSON Schema dialect ${JSON.stringify(uri)} is not supported. Write the schema in draft ` +
      '2020-12 or draft-07, and name it in `$schema` or leave `$schema` out.',
  );
}

function createCompiler(dialect: string, allErrors: boolean): Ajv {
  const { default: Compiler } = loadPackage<{ default: typeof Ajv }>(
    dialect,
    USED_FOR,
    ...PACKAGES,
  );
  // `strict` would refuse what others write (`example`, unknown formats).
  const ajv = new Compiler({ strict: false, allErrors, verbose: true, logger: false });
  loadPackage<{ default: (ajv: Ajv) => void }>('ajv-formats', USED_FOR, ...PACKAGES).default(ajv);
  return ajv;
}
