import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { compile, ROOT } from '../support/compile.js';

const PRELUDE = `
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatOpenAI } from '@langchain/openai';
import { fromLangChain } from 'nestjs-agent-tools/langchain';
declare const anyModel: BaseChatModel;
export { anyModel, ChatOpenAI };
`;

const ACCEPTED: Record<string, string> = {
  ChatOpenAI: `fromLangChain(new ChatOpenAI({ model: 'gpt-5-mini' }));`,
  'all options': `
    fromLangChain(new ChatOpenAI({ model: 'gpt-5-mini', maxRetries: 0, reasoning: { effort: 'low' } }), {
      retry: { maxRetries: 2 },
      timeouts: { firstChunk: 60_000, betweenChunks: 30_000, request: 300_000 },
      callOptions: { tags: ['shop'] },
    });`,
  'any other chat model': `fromLangChain(anyModel, { stop: ['x'], callOptions: { tags: ['a'] } });`,
};

const REFUSED: Record<string, string> = {
  'a plain object': `fromLangChain({ model: 'gpt-5-mini' });`,
  'the name of a model': `fromLangChain('gpt-5-mini');`,
  'a model with tools bound': `fromLangChain(new ChatOpenAI({}).bindTools([]));`,
  'settings of the model': `fromLangChain(anyModel, { temperature: 0 });`,
  'a limit for the connection': `fromLangChain(anyModel, { timeouts: { connect: 1 } });`,
};

const files = new Map(
  Object.entries({ ...ACCEPTED, ...REFUSED }).map(([name, code]) => [
    resolve(ROOT, 'test/langchain', `${name.replaceAll(' ', '-')}.ts`),
    `${PRELUDE}\n${code}\n`,
  ]),
);
const messages = compile(files);

function messageOf(name: string): string | undefined {
  return messages.get(resolve(ROOT, 'test/langchain', `${name.replaceAll(' ', '-')}.ts`));
}

describe('the types of fromLangChain()', () => {
  it.each(Object.keys(ACCEPTED))('accept %s', (name) => {
    expect(messageOf(name)).toBe('');
  });

  it.each(Object.keys(REFUSED))('refuse %s', (name) => {
    expect(messageOf(name)).toMatch(/not assignable|does not exist/);
  });
});
