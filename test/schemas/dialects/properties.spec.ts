import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import {
  toAnthropicSchema,
  toAnthropicStrictSchema,
  toGeminiSchema,
  toOllamaSchema,
  toOpenAISchema,
  toOpenAIStrictSchema,
  type JsonSchema,
  type SchemaDialect,
} from 'nestjs-agent-tools';
import { lintAnthropicStrict } from './linters/anthropic-strict.linter.js';
import { lintGemini } from './linters/gemini.linter.js';
import { lintOllama } from './linters/ollama.linter.js';
import { lintOpenAiStrict } from './linters/openai-strict.linter.js';
import { lintPlain } from './linters/plain.linter.js';
import type { Schema } from './linters/walk.js';
import { dropInventedNulls, exists, withoutLosses } from './original.js';
import { toolSchemas } from './schema.arbitrary.js';
import { instancesOf } from './strict-instances.js';

type Linter = (schema: Schema) => string[];

const DIALECTS: readonly (readonly [string, SchemaDialect, Linter, Linter])[] = [
  ['OpenAI', toOpenAISchema, lintPlain, lintPlain],
  ['OpenAI strict', toOpenAIStrictSchema, lintOpenAiStrict, lintPlain],
  ['Anthropic', toAnthropicSchema, lintPlain, lintPlain],
  ['Anthropic strict', toAnthropicStrictSchema, lintAnthropicStrict, lintPlain],
  ['Gemini', toGeminiSchema, lintGemini, lintGemini],
  ['Ollama', toOllamaSchema, lintOllama, lintOllama],
];
const STRICT = DIALECTS.filter(([name]) => name.endsWith('strict'));

/** The same cases each time; `DIALECT_SEED` and `DIALECT_RUNS` look for others. */
const RUNS = {
  seed: Number(process.env.DIALECT_SEED ?? 1),
  numRuns: Number(process.env.DIALECT_RUNS ?? 100),
};

const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });
addFormats.default(ajv);

function validator(schema: JsonSchema): (value: unknown) => boolean {
  const validate = ajv.compile(schema);
  return (value) => validate(value) === true;
}

/** Whether parts of a schema accept a value, each compiled once. */
function partValidator({ $defs }: JsonSchema) {
  const known = new Map<JsonSchema, (value: unknown) => boolean>();
  return (part: JsonSchema, value: unknown): boolean => {
    let validate = known.get(part);
    if (!validate) {
      validate = validator(typeof part === 'object' ? { ...part, $defs } : { allOf: [part] });
      known.set(part, validate);
    }
    return validate(value);
  };
}

describe.each(DIALECTS)('the dialect %s', (_name, dialect, lintStrict, lintFallback) => {
  it('satisfies its rules with any schema, and leaves it as it was', () => {
    fc.assert(
      fc.property(toolSchemas, ({ schema }) => {
        const before = JSON.stringify(schema);
        const { schema: converted, strict, losses, refusals } = dialect(deepFreeze(schema));
        expect(JSON.stringify(schema)).toBe(before);
        const lint = strict ? lintStrict : lintFallback;
        expect(lint(JSON.parse(JSON.stringify(converted)) as Schema)).toEqual([]);
        expect(losses.filter((path) => !exists(schema, path))).toEqual([]);
        expect(strict && refusals.length > 0).toBe(false);
        expect(() => validator(converted)).not.toThrow();
      }),
      RUNS,
    );
  });
});

describe.each(DIALECTS.filter((entry) => !STRICT.includes(entry)))(
  'the dialect %s',
  (_name, dialect) => {
    it('accepts every value that is valid for the original', () => {
      let valid = 0;
      fc.assert(
        fc.property(toolSchemas, ({ schema, value }) => {
          if (!validator(schema)(value) || !isDeclared(schema, value)) return;
          valid++;
          expect(validator(dialect(schema).schema)(value)).toBe(true);
        }),
        RUNS,
      );
      expect(valid).toBeGreaterThan(RUNS.numRuns / 2);
    });
  },
);

/**
 * Be R the original without the keywords that `losses` names (a lost `oneOf` stays as `anyOf`). Every
 * value that is valid for the strict schema is valid for R once the invented nulls are dropped. If
 * nothing is lost, R is the original.
 */
describe.each(STRICT)('the dialect %s', (_name, dialect) => {
  it('describes only values that are valid for the original, but for its losses', () => {
    let [strict, lossless, valid] = [0, 0, 0];
    const cases = toolSchemas.chain(({ schema }) => {
      const converted = dialect(schema);
      const values = converted.strict ? instancesOf(converted.schema) : fc.constant(undefined);
      return fc.tuple(
        fc.constant({ schema, converted }),
        fc.array(values, { minLength: 8, maxLength: 8 }),
      );
    });
    fc.assert(
      fc.property(cases, ([{ schema, converted }, values]) => {
        if (!converted.strict) return;
        strict++;
        if (converted.losses.length === 0) lossless++;
        const describes = validator(converted.schema);
        const relaxed = withoutLosses(schema, converted.losses);
        const isValid = validator(relaxed);
        const accepts = partValidator(relaxed);
        for (const value of values) {
          if (!describes(value)) continue;
          valid++;
          const dropped = dropInventedNulls(relaxed, relaxed, value, accepts);
          expect([dropped, isValid(dropped)]).toEqual([dropped, true]);
        }
      }),
      RUNS,
    );
    // Otherwise the property would hold for want of cases.
    expect(strict).toBeGreaterThan(RUNS.numRuns / 20);
    expect(lossless).toBeGreaterThan(RUNS.numRuns / 50);
    expect(valid).toBeGreaterThan(RUNS.numRuns / 10);
  });
});

/**
 * A union at the root is dissolved into one object. So a property that one variant describes must
 * not come with a value of its own from another one that is open and does not describe it.
 */
function isDeclared(schema: JsonSchema, value: unknown): boolean {
  const variants = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  const accepts = partValidator(schema);
  return (
    variants?.some((variant) => {
      const { properties = {} } = variant;
      const isNamed = Object.keys(value as object).every((name) => Object.hasOwn(properties, name));
      return isNamed && accepts(variant, value);
    }) ?? true
  );
}

function deepFreeze<Value>(value: Value): Value {
  if (value !== null && typeof value === 'object') {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
