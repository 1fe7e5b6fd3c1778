import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { fallback, type ChatModel, type ObjectJsonSchema } from 'nestjs-agent-tools';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai, openaiResponses, type OpenAIOptions } from 'nestjs-agent-tools/openai';
import { failure } from '../models/test-server.js';

type Create = (options: Omit<OpenAIOptions, 'profile'>) => ChatModel;

const FACTORIES: readonly (readonly [string, Create])[] = [
  ['openai', openai],
  ['openaiResponses', openaiResponses],
  ['anthropic', (options) => anthropic({ ...options, model: 'claude-sonnet-4-5' })],
  ['gemini', gemini],
];

const schema = z.toJSONSchema(z.object({ city: z.string() })) as ObjectJsonSchema;
const request = { messages: [{ role: 'user', content: 'x' }] } as const;
const answer = { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] };

describe.each(FACTORIES)('%s()', (_, create) => {
  it.each<[string, object]>([
    ['the JSON Schema of zod', { responseFormat: { type: 'json', schema } }],
    ['a copy of settings', structuredClone({ body: { a: 1 }, headers: { a: 'b' } })],
    [
      'an object without a prototype',
      { body: Object.assign(Object.create(null) as object, { a: 1 }) },
    ],
    ['what is undefined', { colour: undefined }],
  ])('takes %s', (_what, options) => {
    expect(() => create({ model: 'm', apiKey: 'k', ...options })).not.toThrow();
  });

  it.each<[string, object, string]>([
    [
      'a schema of zod',
      { responseFormat: { type: 'json', schema: z.object({}) } },
      'responseFormat',
    ],
    ['Headers', { headers: new Headers({ a: 'b' }) }, '`headers` must be an object of texts.'],
    ['a key that is no text', { apiKey: 12_345_678 }, '`apiKey` must be a text.'],
    ['no milliseconds', { timeouts: { request: NaN } }, '`request: NaN`'],
    ['a number in place of timeouts', { timeouts: 5_000 }, 'must be an object of milliseconds'],
    ['a timeout that there is not', { timeouts: { conect: 5 } }, 'did you mean `connect`?'],
    ['no object of retries', { retry: 0 }, '{ maxRetries: 0 } for none'],
    ['a retry that there is not', { retry: { retries: 0 } }, 'has no option `retries`'],
    ['a body that is none', { body: 'xyz' }, "`body` must be an object, not 'xyz'."],
  ])('refuses %s', (_what, options, text) => {
    const make = () => create({ model: 'm', apiKey: 'k', ...options });
    expect(make).toThrow(text);
    expect(make).not.toThrow('12345678');
  });

  it('takes another way to call tools', () => {
    expect(create({ model: 'm', apiKey: 'k', toolCalling: 'prompt' }).toolSchemas?.strict).toBe(
      undefined,
    );
    expect(() => create({ model: 'm', apiKey: 'k', salvage: true })).not.toThrow();
  });
});

it('openai() takes a budget of reasoning for a server of which the profile says that it counts', () => {
  const options = { baseURL: 'http://llm.example/v1', reasoningBudget: 1_000 };
  const profile = { reasoning: 'object' } as const;
  expect(() => openai({ model: 'm', apiKey: 'k', ...options, profile })).not.toThrow();
  expect(() => openai({ model: 'm', apiKey: 'k', ...options })).toThrow('`reasoningBudget`');
});

describe('a fallback between servers', () => {
  const told: string[] = [];
  const fetch = (status: number) => (input: unknown, init?: RequestInit) => {
    told.push(`${String(input)} ${new Headers(init?.headers).get('authorization')}`);
    return Promise.resolve(Response.json(status === 200 ? answer : {}, { status }));
  };
  const make = (model: string, status: number, baseURL?: string) =>
    openai({ model, apiKey: 'own', baseURL, fetch: fetch(status), retry: { maxRetries: 0 } });
  const own = { ...request, settings: { apiKey: 'of-the-customer' } };

  it('tells no server the key that a request has for another one, known or not', async () => {
    const models = [make('a', 500), make('b', 200, 'https://proxy.example/v1')];
    expect(await failure(fallback(models).generate(own))).toBeInstanceOf(TypeError);
    expect(told.splice(0)).toEqual([]);
  });

  it('counts a server without TLS as another one', async () => {
    const models = ['https://llm.example/v1', 'http://llm.example/v1'].map((url) =>
      make('a', 500, url),
    );
    expect(await failure(fallback(models).generate(own))).toBeInstanceOf(TypeError);
    expect(told.splice(0)).toEqual([]);
  });

  it('takes the key of a request for one server, also within another fallback', async () => {
    const model = fallback([fallback([make('a', 500), make('b', 500)]), make('c', 200)]);
    expect((await model.generate(own)).content).toMatchObject([{ text: 'Hi' }]);
    expect(new Set(told.splice(0)).size).toBe(1);
  });

  it('takes headers that are no credentials', async () => {
    const headers = { 'Idempotency-Key': '1', 'Helicone-Session-Id': 'abc' };
    const model = fallback([make('a', 500), make('b', 200, 'https://proxy.example/v1')]);
    await model.generate({ ...request, settings: { headers } });
    expect(told.splice(0)).toHaveLength(2);
  });
});
