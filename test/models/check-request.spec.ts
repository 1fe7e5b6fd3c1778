import { describe, expect, it } from '@jest/globals';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import type { ChatModel, ChatRequest } from 'nestjs-agent-tools';
import { fromAiSdk } from 'nestjs-agent-tools/ai-sdk';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { fromLangChain } from 'nestjs-agent-tools/langchain';
import { openai, openaiResponses } from 'nestjs-agent-tools/openai';
import { scripted } from 'nestjs-agent-tools/testing';
import { fake } from '../ai-sdk/support/fakes.js';
import { startAgent } from '../loop/support/agent.js';
import { collect, failure } from './test-server.js';

const HI = { role: 'user', content: 'Hi' };
const IMAGE = { type: 'image_url', image_url: { url: 'https://x.example/a.png' } };

const MESSAGES: readonly (readonly [unknown, string])[] = [
  [[{ role: 'developer', content: 'x' }], 'The message at index 0 has the role "developer".'],
  [[HI, 'Hi'], 'The message at index 1 is "Hi". The roles are: system, user, assistant, tool.'],
  [[null], 'The message at index 0 is null.'],
  [[{ role: 'user', content: [IMAGE] }], 'has a part of the type "image_url". Parts of the role'],
  [[{ role: 'user', content: [IMAGE] }], 'are: text, image. image(url) makes one of an image.'],
  [[{ role: 'user', content: [{ type: 'reasoning', text: 'x' }] }], 'of the type "reasoning"'],
  [[{ role: 'user', content: ['Hi'] }], 'has a part of the type undefined.'],
  [[{ role: 'user' }], 'needs as its `content` a text or a list of parts (text, image).'],
  [[HI, { role: 'assistant', content: 'Hi' }], "such as [{ type: 'text', text: '…' }]"],
  [[{ role: 'assistant', content: [{ type: 'tool_use' }] }], 'of the type "tool_use"'],
  [[{ role: 'system', content: [{ type: 'text', text: 'x' }] }], 'needs as its `content` a text.'],
  [[{ role: 'tool', content: 'x' }], 'a list of parts (tool-result).'],
  [[{ role: 'x'.repeat(500), content: '' }], `has the role "${'x'.repeat(59)}.`],
];

const CHOICES = ['any', { type: 'function', function: { name: 'find' } }, 7, null];

const sent: string[] = [];
const MODELS: readonly (readonly [string, ChatModel])[] = [
  ['openai()', openai({ model: 'gpt-5', apiKey: 'k', fetch: send })],
  ['openaiResponses()', openaiResponses({ model: 'gpt-5', apiKey: 'k', fetch: send })],
  ['anthropic()', anthropic({ model: 'claude-sonnet-4-5', apiKey: 'k', fetch: send })],
  ['gemini()', gemini({ model: 'gemini-2.5-flash', apiKey: 'k', fetch: send })],
  ['fromAiSdk()', fromAiSdk(fake({}))],
  ['fromLangChain()', fromLangChain(new FakeListChatModel({ responses: ['Hi'] }))],
];

function send(input: unknown): Promise<Response> {
  sent.push(String(input));
  return Promise.reject(new Error('asked'));
}

async function refusals(model: ChatModel, request: unknown): Promise<Error[]> {
  const asked = request as ChatRequest;
  return [await failure(model.generate(asked)), await failure(collect(model.stream(asked)))];
}

describe.each(MODELS)('%s', (_, model) => {
  it.each(MESSAGES)('refuses the messages %j', async (messages, text) => {
    for (const error of await refusals(model, { messages })) {
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toContain(text);
    }
    expect(sent).toEqual([]);
  });

  it.each(CHOICES)('refuses the choice %j', async (toolChoice) => {
    for (const error of await refusals(model, { messages: [HI], toolChoice })) {
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toContain("Give 'auto', 'none', 'required' or { tool: 'itsName' }.");
    }
    expect(sent).toEqual([]);
  });

  it.each(['required', { tool: 'find' }])(
    'refuses the choice %j without the tool',
    async (toolChoice) => {
      for (const error of await refusals(model, { messages: [HI], toolChoice })) {
        expect(error.message).toContain('is for tools that the request does not have.');
      }
      expect(sent).toEqual([]);
    },
  );

  it('refuses a request without messages', async () => {
    for (const error of await refusals(model, {})) {
      expect(error.message).toBe('`messages` must be a list of messages.');
    }
  });
});

describe('an agent', () => {
  it.each(MESSAGES)('refuses the messages %j before it begins', async (messages, text) => {
    const { agent } = await startAgent([]);
    const model = scripted(['Hi']);
    await expect(agent.run(messages as never, { model })).rejects.toThrow(text);
    expect(() => agent.stream(messages as never, { model })).toThrow(text);
    expect(model.requests).toEqual([]);
  });

  it.each(CHOICES.filter(Boolean))('refuses the choice %j before it begins', async (toolChoice) => {
    const { agent } = await startAgent([]);
    const model = scripted(['Hi']);
    const options = { model, toolChoice: toolChoice as never };
    await expect(agent.run('Hi', options)).rejects.toThrow('There is no `toolChoice`');
    expect(model.requests).toEqual([]);
  });
});
