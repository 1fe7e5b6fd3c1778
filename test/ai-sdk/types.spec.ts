import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { compile, ROOT } from '../support/compile.js';

const PRELUDE = `import { fromAiSdk } from 'nestjs-agent-tools/ai-sdk';\n`;
const PACKAGES = [
  ['@ai-sdk/openai', 'openai'],
  ['@ai-sdk/anthropic', 'anthropic'],
  ['ai-sdk-openai-v3', 'openai'],
  ['ai-sdk-openai-v2', 'openai'],
  ['ai-sdk-anthropic-v2', 'anthropic'],
] as const;

const CASES = [
  ...PACKAGES.map(([name, factory]) => ({
    title: `takes a model of ${name}`,
    code: `import { ${factory} } from '${name}';\nfromAiSdk(${factory}('m'));`,
    message: '',
  })),
  {
    title: 'takes other models of a provider',
    code: `import { openai } from '@ai-sdk/openai';\nfromAiSdk(openai.chat('m'), { seed: 1 });`,
    message: '',
  },
  {
    title: 'refuses a model for something else',
    code: `import { openai } from '@ai-sdk/openai';\nfromAiSdk(openai.embedding('m'));`,
    message: 'doStream',
  },
  {
    title: 'refuses a plain object',
    code: `fromAiSdk({ modelId: 'm' });`,
    message: 'not assignable',
  },
  { title: 'refuses a name', code: `fromAiSdk('openai/gpt-5');`, message: 'not assignable' },
  {
    title: 'refuses a setting that the AI SDK lacks',
    code: `import { openai } from '@ai-sdk/openai';\nfromAiSdk(openai('m'), { apiKey: 'k' });`,
    message: 'apiKey',
  },
].map((entry, index) => ({ ...entry, path: resolve(ROOT, `test/ai-sdk/snippet-${index}.ts`) }));

describe('The type of fromAiSdk()', () => {
  const files = new Map(CASES.map(({ path, code }) => [path, `${PRELUDE}${code}\n`]));
  const messages = compile(files, { noUnusedLocals: false });

  it.each(CASES)('$title', ({ path, message }) => {
    expect(messages.get(path)).toMatch(message === '' ? /^$/ : message);
  });
});
