import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Ajv, ValidateFunction } from 'ajv';
import { canonicalJsonSchema } from '../canonical-json-schema.js';
import { createDefaultsFiller, type AcceptsBranch } from '../fill-defaults.js';
import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import { SchemaException } from '../schema.exception.js';
import { forEachSubschema, pointerTo } from '../subschemas.js';
import { compilerFor, isOpenApiLike } from './json-schema.compiler.js';
import { toIssues } from './json-schema.issues.js';

type Validate = StandardSchemaV1.Props['validate'];

let count = 0;

/**
 * Checks the schema itself now, so that a mistake stops the boot, and compiles it on first use.
 *
 * @param canonical says where defaults are; what is validated against is the original
 */
export function jsonSchemaValidator(
  original: JsonSchema,
  canonical: JsonSchema = canonicalJsonSchema(original),
): Validate {
  const schema = isOpenApiLike(original) ? canonical : original;
  const ajv = compilerFor(schema);
  if (ajv.validateSchema(schema) !== true) {
    throw new SchemaException(
      `This is not a valid JSON Schema: ${ajv.errorsText(ajv.errors, { dataVar: 'schema' })}.`,
    );
  }
  refuseBrokenPatterns(schema);
  const fill = createDefaultsFiller(canonical, acceptsBranch(canonical));
  let compiled: ValidateFunction | undefined;
  return (value) => {
    compiled ??= compile(ajv, schema);
    const filled = fill ? fill(value) : value;
    if (compiled(filled) === true) return { value: filled };
    return { issues: toIssues(compiled.errors ?? []) };
  };
}

/** The meta-schema takes any text for a pattern. */
function refuseBrokenPatterns(schema: JsonSchema): void {
  const patterns = [schema.pattern, ...Object.keys(schema.patternProperties ?? {})];
  for (const pattern of patterns) {
    if (typeof pattern !== 'string') continue;
    try {
      // The flag is the one that ajv sets.
      new RegExp(pattern, 'u');
    } catch (error) {
      throw new SchemaException(
        `This is not a valid JSON Schema: ${(error as Error).message}. Write the pattern as a regular ` +
          'expression of JavaScript, without flags.',
      );
    }
  }
  forEachSubschema(schema, refuseBrokenPatterns);
}

/** A reference to nowhere is found no earlier than here. */
function compile(ajv: Ajv, schema: JsonSchema): ValidateFunction {
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw new SchemaException(`This JSON Schema cannot be used: ${(error as Error).message}.`);
  }
}

/** Compiles the branches of unions where they stand, for their references, once one is asked for. */
function acceptsBranch(canonical: JsonSchema): AcceptsBranch {
  let pointers: ReadonlyMap<JsonSchema, string> | undefined;
  let ajv: Ajv | undefined;
  let key: string | undefined;
  return (branch, value) => {
    pointers ??= pointersOf(canonical);
    ajv ??= compilerFor(canonical);
    if (key === undefined) {
      key = `defaults-${++count}`;
      ajv.addSchema(canonical, key);
    }
    return ajv.getSchema(`${key}${pointers.get(branch)}`)?.(value) === true;
  };
}

function pointersOf(root: JsonSchema): Map<JsonSchema, string> {
  const pointers = new Map<JsonSchema, string>();
  const visit = (schema: JsonSchema, pointer: string) => {
    pointers.set(schema, pointer);
    forEachSubschema(schema, (child, place) => visit(child, pointerTo(pointer, place)));
  };
  visit(root, '#');
  return pointers;
}
