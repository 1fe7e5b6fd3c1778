import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { compile, ROOT } from '../support/compile.js';

const PRELUDE = `
import { Type as OldType, type Static } from '@sinclair/typebox';
import { type } from 'arktype';
import { DefaultValuePipe } from '@nestjs/common';
import { IsString } from 'class-validator';
import { createZodDto } from 'nestjs-zod';
import { Observable, of } from 'rxjs';
import { Type } from 'typebox';
import * as v from 'valibot';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { z } from 'zod';
import {
  Tool, ToolInput, ToolParam, ToolResult,
  type InferSchemaInput, type InferSchemaOutput, type ToolParamOptions,
} from 'nestjs-agent-tools';
class Dto { @IsString() a!: string; }
class ZodDto extends createZodDto(z.object({ a: z.string(), n: z.number().default(1) })) {}
enum Color { Red = 'red' }
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export const check = <Result extends true>(result: Result) => result;
`;

interface Source {
  /** The schema of an object whose \`a\` is a string. */
  readonly schema: string;
  /** What the schema yields. */
  readonly output: string;
  /** What the schema takes, if it is something else. */
  readonly input?: string;
}

const SOURCES: Record<string, Source> = {
  zod: {
    schema: `z.object({ a: z.string(), n: z.string().transform(Number) })`,
    output: '{ a: string; n: number }',
    input: '{ a: string; n: string }',
  },
  'a default of zod': {
    schema: `z.object({ a: z.string().default('x') })`,
    output: '{ a: string }',
    input: '{ a?: string | undefined }',
  },
  arktype: {
    schema: `type({ a: 'string', n: 'string.integer.parse' })`,
    output: '{ a: string; n: number }',
    input: '{ a: string; n: string }',
  },
  valibot: {
    schema: `v.object({ a: v.string(), n: v.pipe(v.string(), v.transform(Number)) })`,
    output: '{ a: string; n: number }',
    input: '{ a: string; n: string }',
  },
  'valibot with its converter': {
    schema: `toStandardJsonSchema(v.object({ a: v.string() }))`,
    output: '{ a: string }',
  },
  'a class of createZodDto()': { schema: 'ZodDto', output: 'ZodDto' },
  'a DTO class': { schema: 'Dto', output: 'Dto' },
  'TypeBox 0.34': {
    schema: `OldType.Object({ a: OldType.String(), b: OldType.Optional(OldType.Array(OldType.Number())) })`,
    output: '{ a: string; b?: number[] }',
  },
  'TypeBox 1.x': {
    schema: `Type.Object({
      a: Type.String(),
      b: Type.Optional(Type.Array(Type.Integer())),
      c: Type.Union([Type.Literal('x'), Type.Null()]),
      d: Type.Tuple([Type.Boolean(), Type.Number()]),
      e: Type.Enum(['p', 'q']),
    })`,
    output: `{ a: string; b?: number[]; c: 'x' | null; d: [boolean, number]; e: 'p' | 'q' }`,
  },
};

/** Kinds of sources whose type the compiler cannot know. */
const UNCHECKED: Record<string, string> = {
  'a raw JSON Schema': `{ type: 'object', properties: { a: { type: 'string' } } }`,
  'a kind of TypeBox 1.x that only TypeBox can read': `Type.Cyclic({ N: Type.Object({ a: Type.String() }) }, 'N')`,
};

const INPUT = 'no parameter of this method accepts what the inputSchema yields';
const FIELD = 'this parameter does not accept what the schema of its @ToolParam() yields';
const OUTPUT = 'this method returns what the outputSchema does not accept';

const accepted: Record<string, string> = {};
const refused: Record<string, [code: string, message: string]> = {};

for (const [name, { schema, output, input = output }] of Object.entries(SOURCES)) {
  accepted[`${name}: infers exactly what it yields`] = `
    const schema = ${schema};
    check<Same<InferSchemaOutput<typeof schema>, ${output}>>(true);`;
  accepted[`${name}: infers exactly what it takes`] = `
    const schema = ${schema};
    check<Same<InferSchemaInput<typeof schema>, ${input}>>(true);`;
  accepted[`${name}: a parameter that follows it`] = `
    export class Host { @Tool({ inputSchema: ${schema} }) run(@ToolInput() input: ${output}) { return input; } }`;
  accepted[`${name}: a part of it`] = `
    export class Host { @Tool({ inputSchema: ${schema} }) run(@ToolInput() { a }: { a: string }) { return a; } }`;
  accepted[`${name}: a result that follows it`] = `
    export class Host { @Tool({ outputSchema: ${schema} }) run() { return null! as ${input}; } }`;
  refused[`${name}: a parameter of another type`] = [
    `export class Host { @Tool({ inputSchema: ${schema} }) run(@ToolInput() input: { a: number }) { return input; } }`,
    INPUT,
  ];
  refused[`${name}: a parameter that needs more`] = [
    `export class Host { @Tool({ inputSchema: ${schema} }) run(@ToolInput() input: { a: string; more: string }) { return input; } }`,
    INPUT,
  ];
  accepted[`${name}: as a field`] = `
    export class Host { @Tool('Anything.') run(@ToolParam('x', { schema: ${schema} }) x: ${output}, @ToolParam('y', { schema: ${schema}, required: false }) y?: ${output}) { return [x, y]; } }`;
  refused[`${name}: a field of another type`] = [
    `export class Host { @Tool('Anything.') run(@ToolParam('y') y: string, @ToolParam('x', { schema: ${schema} }) x: { a: number }) { return [x, y]; } }`,
    FIELD,
  ];
  refused[`${name}: a result of another type`] = [
    `export class Host { @Tool({ outputSchema: ${schema} }) run() { return { a: 1 }; } }`,
    OUTPUT,
  ];
}

for (const [name, schema] of Object.entries(UNCHECKED)) {
  accepted[`${name}: any parameter and any result`] = `
    export class Host { @Tool({ inputSchema: ${schema}, outputSchema: ${schema} }) run(@ToolInput() input: { z: string }) { return input; } }`;
}

const RESULTS: Record<string, string> = {
  'a promise': `async run() { return { a: 'x' }; }`,
  'an Observable': `run() { return of({ a: 'x' }); }`,
  'a promise of an Observable': `async run(): Promise<Observable<{ a: string }>> { return of({ a: 'x' }); }`,
  'an async generator': `async *run() { yield { a: 'x' }; }`,
  'a generator with a result': `*run() { yield 1; return { a: 'x' }; }`,
  'an async iterable': `run(): AsyncIterable<{ a: string }> { return null!; }`,
  'a ToolResult': `run() { return new ToolResult('text'); }`,
  'a value or a ToolResult': `run(): { a: string } | Promise<ToolResult> { return { a: 'x' }; }`,
  'any value': `run(): any { return 1; }`,
};
const WRONG_RESULTS: Record<string, string> = {
  'a promise': `async run() { return { a: 1 }; }`,
  'an Observable': `run() { return of({ a: 1 }); }`,
  'an async generator': `async *run() { yield { a: 1 }; }`,
  'a generator with a result': `*run() { yield { a: 'x' }; return { a: 1 }; }`,
  'an async iterable': `run(): AsyncIterable<{ a: number }> { return null!; }`,
  nothing: `run(): void {}`,
  'a value or nothing': `run(): { a: string } | undefined { return undefined; }`,
};
for (const [name, method] of Object.entries(RESULTS)) {
  accepted[`outputSchema: ${name}`] = `
    export class Host { @Tool({ outputSchema: z.object({ a: z.string() }) }) ${method} }`;
}
for (const [name, method] of Object.entries(WRONG_RESULTS)) {
  refused[`outputSchema: ${name} of another type`] = [
    `export class Host { @Tool({ outputSchema: z.object({ a: z.string() }) }) ${method} }`,
    OUTPUT,
  ];
}
accepted['outputSchema: an array and a text'] = `
  export class Host {
    @Tool({ outputSchema: z.array(z.number()) }) list() { return [1]; }
    @Tool({ outputSchema: z.string() }) text() { return 'x'; }
  }`;
accepted['both schemas of one tool'] = `
  export class Host {
    @Tool({ inputSchema: z.object({ a: z.string() }), outputSchema: z.number() })
    run(@ToolInput() { a }: { a: string }) { return a.length; }
  }`;
refused['both schemas of one tool, the input'] = [
  `export class Host {
    @Tool({ inputSchema: z.object({ a: z.string() }), outputSchema: z.number() })
    run(@ToolInput() { a }: { a: number }) { return a; }
  }`,
  INPUT,
];

accepted['@ToolParam(): within a decorator of the application'] = `
  export const Country = (): ParameterDecorator => ToolParam('country', { schema: z.string() });`;
accepted['@ToolParam(): all its sources'] = `
  export class Host {
    @Tool('Anything.')
    run(
      @ToolParam('a', { schema: z.string() }) a: string,
      @ToolParam('b', { schema: v.string() }) b: string,
      @ToolParam('c', { schema: OldType.String() }) c: string,
      @ToolParam('d', { schema: Type.String() }) d: string,
      @ToolParam('e', { schema: ZodDto }) e: ZodDto,
      @ToolParam('f', { type: [String] }) f: string[],
      @ToolParam('g', { type: () => Dto }) g: Dto,
      @ToolParam('h', { type: [() => Dto] }) h: Dto[],
      @ToolParam('i', { type: 'integer' }) i: number,
      @ToolParam('j', { enum: Color }) j: Color,
      @ToolParam('k', { enum: ['x', 1, true] }) k: unknown,
      @ToolParam('l', { schema: z.string() }, new DefaultValuePipe(1)) l: number,
      @ToolParam('m', { schema: { type: 'string' } }) m: number,
    ) { return [a, b, c, d, e, f, g, h, i, j, k, l, m]; }
  }`;
refused['@ToolParam(): a type that there is not'] = [
  `export const options: ToolParamOptions = { type: 'strin' };`,
  `Type '"strin"' is not assignable to type`,
];
refused['@ToolParam(): a schema that is none'] = [
  `export const options: ToolParamOptions = { schema: 'text' };`,
  `Type 'string' is not assignable to type`,
];
refused['@Tool(): a schema that is none'] = [
  `export class Host { @Tool({ inputSchema: 'text' }) run(@ToolInput() input: string) { return input; } }`,
  `Type 'string' is not assignable to type`,
];

const snippets = [
  ...Object.entries(accepted),
  ...Object.entries(refused).map(([name, [code]]) => [name, code]),
].map(([name, code], index) => ({
  name,
  path: resolve(ROOT, `test/types/source-${index}.ts`),
  code: PRELUDE + code,
}));
const problems = compile(new Map(snippets.map(({ path, code }) => [path, code])), {
  noUnusedLocals: false,
});
const diagnostics = new Map(snippets.map(({ name, path }) => [name, problems.get(path)]));

describe('schema sources at compile time', () => {
  it.each(Object.keys(accepted))('accepts %s', (name) => {
    expect(diagnostics.get(name)).toBe('');
  });

  it.each(Object.entries(refused).map(([name, [, message]]) => [name, message]))(
    'refuses %s with a message that says why',
    (name, message) => {
      expect(diagnostics.get(name)).toContain(message);
    },
  );
});
