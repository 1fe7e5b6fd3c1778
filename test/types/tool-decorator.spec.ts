import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../..');

const PRELUDE = `
import { IsString } from 'class-validator';
import { type } from 'arktype';
import { z } from 'zod';
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

function diagnose(snippets: Record<string, string>): Map<string, string> {
  const files = new Map(
    Object.entries(snippets).map(([name, code], index) => [
      resolve(ROOT, `test/types/__snippet${index}.ts`),
      {
        name,
        code: `${PRELUDE}\nexport class Host {${code}\n}\nvoid [type, Dto, Other, schema, ToolParam, ToolCall, CurrentToolCall];`,
      },
    ]),
  );
  const { config } = ts.readConfigFile(resolve(ROOT, 'tsconfig.json'), ts.sys.readFile) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const compilerOptions = { ...options, noUnusedLocals: false, noUnusedParameters: false };
  const host = ts.createCompilerHost(compilerOptions);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path)?.code ?? readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const own = files.get(path);
    return own
      ? ts.createSourceFile(path, own.code, ts.ScriptTarget.ES2023)
      : getSourceFile.call(host, path, ...rest);
  };
  const program = ts.createProgram([...files.keys()], compilerOptions, host);
  const messages = new Map<string, string>();
  for (const [path, { name }] of files) {
    const found = program.getSemanticDiagnostics(program.getSourceFile(path));
    messages.set(
      name,
      found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n'),
    );
  }
  return messages;
}

const diagnostics = diagnose({ ...ACCEPTED, ...REFUSED });

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
