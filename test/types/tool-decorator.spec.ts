import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { compile, ROOT } from '../support/compile.js';

const PRELUDE = `
import { IsString } from 'class-validator';
import { type } from 'arktype';
import { z } from 'zod';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { CurrentToolCall, Tool, ToolCall, ToolInput, ToolParam } from 'nestjs-agent-tools';
class Dto { @IsString() a!: string; label() { return this.a; } }
class Other { @IsString() b!: string; }
const schema = z.object({ a: z.string(), n: z.number().default(1) });
`;

/** Snippets that must compile, and those that must not, each checked on its own. */
const ACCEPTED: Record<string, string> = {
  'the output of zod': `
    @Tool({ inputSchema: schema }) run(@ToolInput() input: { a: string; n: number }) { return input; }`,
  'a part of the output': `
    @Tool({ inputSchema: schema }) run(@ToolInput() { a }: { a: string }) { return a; }`,
  'an optional parameter': `
    @Tool({ inputSchema: schema }) run(@ToolInput() input?: { a: string }) { return input; }`,
  'the input as a later parameter': `
    @Tool({ inputSchema: schema }) run(@CurrentToolCall() call: ToolCall, @ToolInput() input: z.output<typeof schema>) { return [call, input]; }`,
  'a transform': `
    @Tool({ inputSchema: z.object({ d: z.string().transform((v) => v.length) }) }) run(@ToolInput() input: { d: number }) { return input; }`,
  arktype: `
    @Tool({ inputSchema: type({ a: 'string' }) }) run(@ToolInput() input: { a: string }) { return input; }`,
  'a DTO class': `
    @Tool({ inputSchema: Dto }) run(@ToolInput() input: Dto) { return input.label(); }`,
  'a raw JSON Schema, which cannot be checked': `
    @Tool({ inputSchema: { type: 'object', properties: { a: { type: 'string' } } } }) run(@ToolInput() input: { a: string }) { return input; }`,
  'a schema without fields and no parameter': `
    @Tool({ inputSchema: z.object({}) }) run() { return 1; }`,
  'a description and fields': `
    @Tool('Anything.') run(@ToolParam('a') a: string) { return a; }`,
  'several lines and an async method': `
    @Tool(['One.', 'Two.']) async run(@ToolInput() input: Dto) { return input; }`,
  'a composition with other decorators': `
    @applyDecorators(Tool('Anything.'), Tool({ description: 'x' }), SetMetadata('a', 1)) run(@ToolInput() input: Dto) { return input; }`,
  'a generic method': `
    @Tool('Anything.') run<T extends Dto>(@ToolInput() input: T): T { return input; }`,
};

const REFUSED: Record<string, string> = {
  'a field of another type': `
    @Tool({ inputSchema: schema }) run(@ToolInput() input: { a: number }) { return input; }`,
  'a field that the schema does not give': `
    @Tool({ inputSchema: schema }) run(@ToolInput() input: { a: string; b: string }) { return input; }`,
  'an optional field that the method needs': `
    @Tool({ inputSchema: z.object({ a: z.string().optional() }) }) run(@ToolInput() input: { a: string }) { return input; }`,
  'no parameter': `
    @Tool({ inputSchema: schema }) run() { return 1; }`,
  'only injected parameters': `
    @Tool({ inputSchema: schema }) run(@CurrentToolCall() call: ToolCall) { return call; }`,
  'arktype of another type': `
    @Tool({ inputSchema: type({ a: 'number' }) }) run(@ToolInput() input: { a: string }) { return input; }`,
  'another class': `
    @Tool({ inputSchema: Other }) run(@ToolInput() input: Dto) { return input; }`,
};

const snippets = Object.entries({ ...ACCEPTED, ...REFUSED }).map(([name, code], index) => ({
  name,
  path: resolve(ROOT, `test/types/snippet-${index}.ts`),
  code: `${PRELUDE}\nexport class Host {${code}\n}`,
}));
const problems = compile(new Map(snippets.map(({ path, code }) => [path, code])), {
  noUnusedLocals: false,
});
const diagnostics = new Map(snippets.map(({ name, path }) => [name, problems.get(path)]));

describe('@Tool() at compile time', () => {
  it.each(Object.keys(ACCEPTED))('accepts %s', (name) => {
    expect(diagnostics.get(name)).toBe('');
  });

  it.each(Object.keys(REFUSED))('refuses %s with a message that says why', (name) => {
    expect(diagnostics.get(name)).toContain(
      'no parameter of this method accepts what the inputSchema yields',
    );
  });
});
