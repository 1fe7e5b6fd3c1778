/**
 * Function descriptions of a catalogue, in its own loose dialect, as tools: `npm run test:bfcl -- DIR`.
 * Without a folder, a small one beside this file is read.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  fromLooseSchema,
  toAnthropicSchema,
  toAnthropicStrictSchema,
  toGeminiSchema,
  toOllamaSchema,
  toOpenAISchema,
  toOpenAIStrictSchema,
  ToolExecutor,
  ToolRegistry,
  type ObjectJsonSchema,
  type SchemaDialect,
} from 'nestjs-agent-tools';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { lintAnthropicStrict } from '../schemas/dialects/linters/anthropic-strict.linter.js';
import { lintGemini } from '../schemas/dialects/linters/gemini.linter.js';
import { lintOllama } from '../schemas/dialects/linters/ollama.linter.js';
import { lintOpenAiStrict } from '../schemas/dialects/linters/openai-strict.linter.js';
import { lintPlain } from '../schemas/dialects/linters/plain.linter.js';
import { createApp } from '../support/app.js';
import { MANGLINGS } from '../support/manglings.js';
import { readCatalogue, rightArguments, type CatalogueEntry } from './catalogue.js';

const DIRECTORY = process.env.BFCL_DIR ?? join(import.meta.dirname, 'fixture');
/** Of the calls that can be mangled in a way, the part that must come out exactly. */
const RECOVERED = 0.99;

type Lint = (schema: ObjectJsonSchema) => string[];

const DIALECTS: readonly [string, SchemaDialect, Lint, boolean][] = [
  ['OpenAI', toOpenAISchema, lintPlain, false],
  ['OpenAI strict', toOpenAIStrictSchema, lintOpenAiStrict, true],
  ['Anthropic', toAnthropicSchema, lintPlain, false],
  ['Anthropic strict', toAnthropicStrictSchema, lintAnthropicStrict, true],
  ['Gemini', toGeminiSchema, lintGemini, false],
  ['Ollama', toOllamaSchema, lintOllama, false],
];

interface RightCall {
  readonly id: string;
  readonly tool: string;
  readonly schema: ObjectJsonSchema;
  readonly args: Record<string, unknown>;
  readonly accepts: ValidateFunction;
}

const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
const entries = readCatalogue(DIRECTORY);
const calls = entries.flatMap(rightCalls);
/** What the catalogue calls right although its own schema refuses it. */
const contradictory = calls.filter(({ accepts, args }) => !accepts(args));
const consistent = calls.filter((call) => !contradictory.includes(call));

function rightCalls(entry: CatalogueEntry, index: number): RightCall[] {
  const schema = fromLooseSchema(entry.parameters);
  const accepts = ajv.compile(schema);
  const ofProperty = Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [name, ajv.compile(property)]),
  );
  return entry.calls.map((accepted) => ({
    id: entry.id,
    tool: toolName(entry, index),
    schema,
    accepts,
    args: rightArguments(accepted, (name, value) => ofProperty[name]?.(value) !== false),
  }));
}

/** The names of a catalogue are not unique. */
function toolName({ name }: CatalogueEntry, index: number): string {
  return `${index}.${name}`;
}

let app: TestingModule;
let executor: ToolExecutor;
let received: unknown;

beforeAll(async () => {
  app = await createApp({});
  const registry = app.get(ToolRegistry);
  executor = app.get(ToolExecutor);
  for (const [index, entry] of entries.entries()) {
    await registry.register({
      name: toolName(entry, index),
      description: entry.description,
      inputSchema: fromLooseSchema(entry.parameters),
      execute: (input) => {
        received = input;
        return 'done';
      },
    });
  }
}, 60_000);
afterAll(async () => {
  await app.close();
});

describe(`the catalogue in ${DIRECTORY}`, () => {
  it('is registered as tools with raw schemas, under names that models accept', () => {
    const tools = app.get(ToolRegistry).list();
    expect(entries.length).toBeGreaterThan(0);
    expect(tools).toHaveLength(entries.length);
    for (const { chatName } of tools) expect(chatName).toMatch(/^[a-zA-Z_][\w-]{0,63}$/);
    expect(new Set(tools.map(({ chatName }) => chatName)).size).toBe(tools.length);
  });

  it.each(DIALECTS)('passes the rules of %s', (name, dialect, lint, isStrict) => {
    let strict = 0;
    for (const { inputSchema, chatName } of app.get(ToolRegistry).list()) {
      const converted = dialect(inputSchema.jsonSchema);
      if (converted.strict) strict++;
      // A schema that cannot be strict is sent as a plain one.
      const violations = (converted.refusals.length > 0 ? lintPlain : lint)(converted.schema);
      expect({ chatName, violations }).toEqual({ chatName, violations: [] });
    }
    console.log(`${name}: ${strict} of ${entries.length} are strict`);
    expect(strict > 0).toBe(isStrict);
  });

  it('takes the right arguments', async () => {
    for (const { tool, args } of consistent) {
      received = undefined;
      expect(await executor.execute(tool, JSON.stringify(args))).toMatchObject({
        status: 'success',
      });
      expect(received).toMatchObject(args);
    }
    console.log(
      `${entries.length} functions, ${consistent.length} right calls, ` +
        `${contradictory.length} that the schema of the catalogue itself refuses` +
        contradictory.map(({ id }) => `\n  ${id}`).join(''),
    );
    expect(consistent.length).toBeGreaterThan(calls.length * 0.99);
  }, 60_000);

  it.each(Object.entries(MANGLINGS))(
    'recovers right arguments with %s',
    async (way, mangle) => {
      let applied = 0;
      const refused: string[] = [];
      const wrong: object[] = [];
      for (const [index, { tool, args, schema }] of consistent.entries()) {
        const text = mangle(args, schema, index);
        if (text === undefined) continue;
        applied++;
        // With the defaults of the schema filled in.
        await executor.execute(tool, args);
        const meant = received;
        received = undefined;
        const { status, content } = await executor.execute(tool, text);
        if (status !== 'success') refused.push(`${String(content)}\n${text}`);
        else if (!isDeepStrictEqual(received, meant)) wrong.push({ text, meant, received });
      }
      console.log(`${way}: ${applied - refused.length - wrong.length} of ${applied} recovered`);
      expect(wrong).toEqual([]);
      expect(applied).toBeGreaterThan(0);
      expect({
        refused: refused.slice(0, 3),
        isEnough: refused.length <= applied * (1 - RECOVERED),
      }).toEqual({ refused: refused.slice(0, 3), isEnough: true });
    },
    60_000,
  );
});
