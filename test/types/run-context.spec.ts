import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { compile, ROOT } from '../support/compile.js';

const PRELUDE = `
import { RunContext, tool, Tool } from 'nestjs-agent-tools';
import { z } from 'zod';
`;
const AUGMENTATION = `
declare module 'nestjs-agent-tools' { interface AgentRunContext { tenant: { id: string } } }
`;

const method = (parameter: string) =>
  `export class Tools { @Tool('Any.') run(${parameter}) { return 1; } }`;
const OPTIONS = `name: 'add', inputSchema: z.object({ a: z.number() })`;
const OUTPUT = `${OPTIONS}, outputSchema: z.string()`;

/** What the compiler must say, empty where all is well. */
type Cases = Record<string, [code: string, message: string]>;

const PLAIN: Cases = {
  '@RunContext() takes any type of a key': [method(`@RunContext('tenant') tenant: number`), ''],
  '@RunContext() gives the whole context': [method('@RunContext() context: object'), ''],
  'tool() infers the input from the schema': [`tool({ ${OPTIONS} }, ({ a }) => a.toFixed());`, ''],
  'tool() refuses what the type of a field does not have': [
    `tool({ ${OPTIONS} }, ({ a }) => a.toUpperCase());`,
    'toUpperCase',
  ],
  'tool() refuses a field that the schema does not have': [
    `tool({ ${OPTIONS} }, ({ b }) => b);`,
    "'b'",
  ],
  'tool() takes a result that the output schema accepts': [
    `tool({ ${OUTPUT} }, ({ a }) => String(a));`,
    '',
  ],
  'tool() takes a promise of one': [`tool({ ${OUTPUT} }, async ({ a }) => String(a));`, ''],
  'tool() refuses another result': [`tool({ ${OUTPUT} }, ({ a }) => a);`, 'string'],
  'tool() needs a name': [`tool({ description: 'Adds.' }, () => 1);`, 'name'],
};

const AUGMENTED: Cases = {
  'a parameter of the type of the value': [
    method(`@RunContext('tenant') tenant: { id: string }`),
    '',
  ],
  'an optional parameter': [method(`@RunContext('tenant') tenant?: { id: string }`), ''],
  'the whole context': [method('@RunContext() context: object'), ''],
  'no parameter of another type': [
    method(`@RunContext('tenant') tenant: string`),
    'this parameter does not accept the value of the run context',
  ],
  'no key that there is not': [method(`@RunContext('nobody') tenant: string`), 'nobody'],
};

describe.each<[string, Cases, string]>([
  ['as long as the run context is not augmented', PLAIN, ''],
  ['once it is augmented, @RunContext() takes', AUGMENTED, AUGMENTATION],
])('%s', (_when, cases, augmentation) => {
  const entries = Object.entries(cases).map(([name, [code, message]], index) => ({
    name,
    message,
    path: resolve(ROOT, `test/types/snippet-${index}.ts`),
    text: `${PRELUDE}${index === 0 ? augmentation : ''}${code}\nexport {};\n`,
  }));
  const files = new Map(entries.map(({ path, text }) => [path, text]));
  const messages = compile(files, { noUnusedLocals: false, noUnusedParameters: false });

  it.each(entries)('$name', ({ path, message }) => {
    expect(messages.get(path)).toMatch(message === '' ? /^$/ : message);
  });
});
