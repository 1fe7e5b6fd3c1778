import { describe, expect, it } from '@jest/globals';
import type { ChatModel, ResponseFormat } from 'nestjs-agent-tools';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai, openaiResponses } from 'nestjs-agent-tools/openai';

type Fetch = typeof globalThis.fetch;

const common = { apiKey: 'k', retry: { maxRetries: 0 } };
const description = 'A verdict in one word.';
const schema = {
  type: 'object' as const,
  properties: { a: { type: 'string' as const } },
  required: ['a'],
  additionalProperties: false,
};

const MODELS: readonly (readonly [string, (fetch: Fetch) => ChatModel])[] = [
  ['openai', (fetch) => openai({ model: 'gpt-5', ...common, fetch })],
  ['deepseek', (fetch) => openai({ model: 'm', profile: 'deepseek', ...common, fetch })],
  ['responses', (fetch) => openaiResponses({ model: 'gpt-5', ...common, fetch })],
  ['anthropic', (fetch) => anthropic({ model: 'claude-sonnet-4-5', ...common, fetch })],
  ['an old anthropic', (fetch) => anthropic({ model: 'claude-3-haiku', ...common, fetch })],
  ['gemini', (fetch) => gemini({ model: 'gemini-2.5-flash', ...common, fetch })],
];

async function sent(make: (fetch: Fetch) => ChatModel, responseFormat: ResponseFormat) {
  let body = '';
  const model = make((_input, init) => {
    body = String(init?.body);
    return Promise.reject(new Error('seen'));
  });
  const messages = [{ role: 'user' as const, content: 'x' }];
  await model.generate({ messages, settings: { responseFormat } }).catch(() => undefined);
  return body;
}

it.each(MODELS)(
  '%s is told the description of a format beside that of its schema',
  async (_, make) => {
    const described = { ...schema, description: 'Of the schema.' };
    const body = await sent(make, { type: 'json', schema: described, description });
    expect(body).toContain(description);
    expect(body).toContain('Of the schema.');
    expect(await sent(make, { type: 'json', description })).toContain(description);
  },
);

it.each(MODELS)('%s is told the description of a format', async (_, make) => {
  expect(await sent(make, { type: 'json', schema, description })).toContain(description);
  expect(await sent(make, { type: 'json', schema, strict: false, description })).toContain(
    description,
  );
});

describe('anthropic() with `strict: true`', () => {
  const [[, current], [, old]] = MODELS.filter(([name]) => name.includes('anthropic'));

  it('keeps to the schema if it can', async () => {
    expect(await sent(current, { type: 'json', schema, strict: true })).toContain('json_schema');
  });

  it.each([
    ['the model keeps to none', old, schema],
    [
      'the schema cannot be kept',
      current,
      { ...schema, additionalProperties: { type: 'number' } } as const,
    ],
  ])('is refused if %s, and said in words if nobody insists', async (_, make, given) => {
    expect(await sent(make, { type: 'json', schema: given, strict: true })).toBe('');
    expect(await sent(make, { type: 'json', schema: given })).toContain(
      'valid for this JSON Schema',
    );
  });
});

it.each(['serverTools', 'betas'])('anthropic({ %s }) needs a list', (name) => {
  const make = () => anthropic({ model: 'claude-sonnet-4-5', [name]: 'web_search' });
  expect(make).toThrow(`anthropic({ ${name} }) needs a list.`);
});
