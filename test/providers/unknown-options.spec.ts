import { describe, expect, it } from '@jest/globals';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import type { ChatModel, ChatSettings } from 'nestjs-agent-tools';
import { fromAiSdk } from 'nestjs-agent-tools/ai-sdk';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { fromLangChain } from 'nestjs-agent-tools/langchain';
import { openai, openaiResponses } from 'nestjs-agent-tools/openai';
import { fake } from '../ai-sdk/support/fakes.js';

type Create = (options: object) => ChatModel;

const HTTP: readonly (readonly [string, Create])[] = [
  ['openai()', (options) => openai({ model: 'gpt-5', ...options })],
  ['openaiResponses()', (options) => openaiResponses({ model: 'gpt-5', ...options })],
  ['anthropic()', (options) => anthropic({ model: 'claude-sonnet-4-5', ...options })],
  ['gemini()', (options) => gemini({ model: 'gemini-2.5-flash', ...options })],
];

const FACTORIES = new Map(
  Object.entries({ openai, openaiResponses, anthropic, gemini }).map(([name, factory]) => [
    `${name}()`,
    factory,
  ]),
);

const ALL: readonly (readonly [string, Create])[] = [
  ...HTTP,
  ['fromAiSdk()', (options) => fromAiSdk(fake({}), options)],
  [
    'fromLangChain()',
    (options) =>
      fromLangChain(new FakeListChatModel({ responses: [] }), {
        toolCalling: 'prompt',
        ...options,
      }),
  ],
];

describe.each(HTTP)('%s', (name, create) => {
  it.each([
    ['baseUrl', 'baseURL'],
    ['base_url', 'baseURL'],
    ['api_key', 'apiKey'],
    ['max_tokens', 'maxTokens'],
    ['maxOutputTokens', 'maxTokens'],
    ['maxTokenss', 'maxTokens'],
    ['timeout', 'timeouts'],
    ['maxRetries', 'retry'],
    ['temprature', 'temperature'],
  ])('has no option %s, but %s', (given, meant) => {
    expect(() => create({ apiKey: 'sk-private', [given]: 'x' })).toThrow(
      `${name} has no option \`${given}\` (did you mean \`${meant}\`?)`,
    );
  });

  it.each<[unknown, string]>([
    [undefined, '…'],
    [null, '…'],
    ['gpt-5', 'gpt-5'],
  ])('needs an object of options, not %j', (given, model) => {
    const factory = FACTORIES.get(name) as unknown as (options: unknown) => ChatModel;
    expect(() => factory(given)).toThrow(
      `${name} needs an object of options: ${name.slice(0, -1)}{ model: "${model}" }).`,
    );
  });

  it('never tells the value', () => {
    expect(() => create({ appiKey: 'sk-private-value' })).not.toThrow('sk-private-value');
    expect(() => create({ appiKey: 'sk-private-value' })).toThrow('`apiKey`');
  });
});

describe.each(ALL)('%s', (name, create) => {
  it('has no option that nobody knows', () => {
    expect(() => create({ colour: 'red', constructor: 1 })).toThrow(
      `${name} has no option \`colour\`, \`constructor\`.`,
    );
  });

  it('takes an unknown one that is undefined', () => {
    expect(() => create({ colour: undefined })).not.toThrow();
  });

  it('refuses an unknown setting of a request, before it is sent', async () => {
    const model = create({
      ...(HTTP.some(([known]) => known === name) && {
        apiKey: 'k',
        fetch: () => Promise.reject(new Error('sent')),
      }),
    });
    const settings = { maxTokenss: 5 } as ChatSettings;
    await expect(model.generate({ messages: [], settings }, {})).rejects.toThrow(
      'has no option `maxTokenss` (did you mean `maxTokens`?)',
    );
  });
});
