import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { compile, ROOT } from '../support/compile.js';

const AUGMENTED = `
declare module 'nestjs-agent-tools' { interface AgentRunContext { tenant: { id: string } } }
`;

function check(code: string, augmentation: string): string {
  const path = resolve(ROOT, 'test/types/snippet.ts');
  const text = `
import { RunContext, tool, Tool } from 'nestjs-agent-tools';
import { z } from 'zod';
${augmentation}
${code}
export {};
`;
  const overrides = { noUnusedLocals: false, noUnusedParameters: false };
  return compile(new Map([[path, text]]), overrides).get(path) ?? '';
}

const method = (parameter: string) =>
  `class Tools { @Tool('Any.') run(${parameter}) {} }; void Tools;`;

describe('@RunContext()', () => {
  it('takes any key and any type as long as the context is not augmented', () => {
    expect(check(method(`@RunContext('tenant') tenant: number`), '')).toBe('');
    expect(check(method('@RunContext() context: object'), '')).toBe('');
  });

  it('takes a parameter that accepts the value, once the context is augmented', () => {
    expect(check(method(`@RunContext('tenant') tenant: { id: string }`), AUGMENTED)).toBe('');
    expect(check(method(`@RunContext('tenant') tenant?: { id: string }`), AUGMENTED)).toBe('');
    expect(check(method('@RunContext() context: object'), AUGMENTED)).toBe('');
  });

  it('refuses another type and another key', () => {
    expect(check(method(`@RunContext('tenant') tenant: string`), AUGMENTED)).toContain(
      'this parameter does not accept the value of the run context',
    );
    expect(check(method(`@RunContext('nobody') tenant: string`), AUGMENTED)).toContain('nobody');
  });
});

describe('tool()', () => {
  const options = `name: 'add', inputSchema: z.object({ a: z.number() })`;

  it('infers the input from the schema', () => {
    expect(check(`tool({ ${options} }, ({ a }) => a.toFixed());`, '')).toBe('');
    expect(check(`tool({ ${options} }, ({ a }) => a.toUpperCase());`, '')).toContain('toUpperCase');
    expect(check(`tool({ ${options} }, ({ b }) => b);`, '')).toContain("'b'");
  });

  it('holds the result to the output schema', () => {
    const output = `${options}, outputSchema: z.string()`;
    expect(check(`tool({ ${output} }, ({ a }) => String(a));`, '')).toBe('');
    expect(check(`tool({ ${output} }, async ({ a }) => String(a));`, '')).toBe('');
    expect(check(`tool({ ${output} }, ({ a }) => a);`, '')).toContain('string');
  });

  it('needs a name', () => {
    expect(check(`tool({ description: 'Adds.' }, () => 1);`, '')).toContain('name');
  });
});
