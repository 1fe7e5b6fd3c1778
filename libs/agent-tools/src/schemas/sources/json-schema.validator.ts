import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Ajv, ValidateFunction } from 'ajv';
import { canonicalJsonSchema } from '../canonical-json-schema.js';
import { createDefaultsFiller, type ChooseBranches } from '../fill-defaults.js';
import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import { SchemaException } from '../schema.exception.js';
import { ShapeMatcher } from '../shape/accepts.js';
import { compileShape } from '../shape/shape.compiler.js';
import { forEachSubschema, pointerTo } from '../subschemas.js';
import { gateUnions, isUntaggedRecursion } from './union.gates.js';
import { compilerFor, isOpenApiLike } from './json-schema.compiler.js';
import { toIssues } from './json-schema.issues.js';

type Validate = StandardSchemaV1.Props['validate'];

/** Levels of nesting up to which all problems are looked for. */
const MAX_EXPLAINED_DEPTH = 8;
/** Levels of a union that contains itself and has no discriminator: each one multiplies the work. */
const MAX_UNTAGGED_DEPTH = 16;
const TOO_DEEP = { issues: [{ message: 'is nested too deeply' }] };

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
  const ajv = compilerFor(schema, false);
  if (ajv.validateSchema(schema) !== true) {
    throw new SchemaException(
      `This is not a valid JSON Schema: ${ajv.errorsText(ajv.errors, { dataVar: 'schema' })}. Correct it, ` +
        'or have fromLooseSchema() convert what is written in the dialect of another system.',
    );
  }
  if (schema.$async === true) {
    throw new SchemaException('A JSON Schema with `$async` is not supported. Remove the keyword.');
  }
  refuseBrokenPatterns(schema);
  const fill = createDefaultsFiller(canonical, branchesThatAccept(canonical));
  let check: ValidateFunction | undefined;
  let explain: ValidateFunction | undefined;
  let isUntagged: boolean | undefined;
  return (value) => {
    isUntagged ??= isUntaggedRecursion(canonical);
    if (isUntagged && depthOf(value) > MAX_UNTAGGED_DEPTH) return TOO_DEEP;
    check ??= compile(ajv, gateUnions(schema));
    const filled = fill ? fill(value) : value;
    if (check(filled) === true) return { value: filled };
    // In a union that contains itself, the search for all problems takes twice as long for each level.
    if (depthOf(filled) > MAX_EXPLAINED_DEPTH) return { issues: toIssues(check.errors ?? []) };
    explain ??= compile(compilerFor(schema, true), schema);
    explain(filled);
    return { issues: toIssues(explain.errors ?? check.errors ?? []) };
  };
}

function depthOf(value: unknown): number {
  let depth = 0;
  for (let level = [value]; level.length > 0; depth++) {
    level = level.flatMap((item) =>
      item !== null && typeof item === 'object' ? (Object.values(item) as unknown[]) : [],
    );
  }
  return depth;
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

/**
 * Which branches of unions accept a value. Their shapes tell most of them apart; only where several fit
 * are they compiled, where they stand, for their references.
 */
function branchesThatAccept(canonical: JsonSchema): ChooseBranches {
  let pointers: ReadonlyMap<JsonSchema, string> | undefined;
  let ajv: Ajv | undefined;
  let key: string | undefined;
  const isValid = (branch: JsonSchema, value: unknown) => {
    pointers ??= pointersOf(canonical);
    ajv ??= compilerFor(canonical, false);
    if (key === undefined) {
      key = `defaults-${++count}`;
      ajv.addSchema(canonical, key);
    }
    return ajv.getSchema(`${key}${pointers.get(branch)}`)?.(value) === true;
  };
  return (candidates) => {
    const matcher = new ShapeMatcher();
    const fitting = candidates.filter(({ branch, value }) =>
      matcher.accepts(compileShape(canonical, branch), value),
    );
    if (fitting.length <= 1) return fitting;
    return fitting.filter(({ branch, value }) => isValid(branch, value));
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
