import { describe, expect, it } from '@jest/globals';
import type { ChatRequest, ObjectJsonSchema } from 'nestjs-agent-tools';
import {
  anthropic,
  toAnthropicBody,
  type AnthropicBodyOptions,
} from 'nestjs-agent-tools/anthropic';

const REQUEST: ChatRequest = {
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hi' },
  ],
};
const SCHEMA: ObjectJsonSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
};

function encode({ model = 'claude-opus-4-6', ...options }: Partial<AnthropicBodyOptions> = {}) {
  return toAnthropicBody(REQUEST, { model, ...options });
}

describe('max_tokens', () => {
  it.each([
    ['claude-opus-4-6', 16_384],
    ['claude-sonnet-4-20250514', 16_384],
    ['anthropic.claude-opus-4-1-20250805-v1:0', 16_384],
    ['claude-mythos-preview', 16_384],
    ['claude-3-5-haiku-20241022', 4_096],
    ['some-other-model', 4_096],
  ])('of %s are %d if nobody says', (model, tokens) => {
    expect(encode({ model }).max_tokens).toBe(tokens);
  });

  it('are more than the budget of reasoning', () => {
    const budget = 10_000;
    expect(encode({ reasoningBudget: budget }).max_tokens).toBe(26_384);
    expect(encode({ reasoningBudget: budget, maxTokens: 2_000 }).max_tokens).toBe(12_000);
    expect(encode({ reasoningBudget: budget, maxTokens: 10_000 }).max_tokens).toBe(20_000);
    expect(encode({ reasoningBudget: budget, maxTokens: 10_001 }).max_tokens).toBe(10_001);
  });
});

it('sends the settings that it is given, and no others', () => {
  expect(encode({ temperature: 0, topP: 0.5, stop: ['END'], maxTokens: 9, stream: true })).toEqual({
    model: 'claude-opus-4-6',
    system: 'Be kind.',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    max_tokens: 9,
    temperature: 0,
    top_p: 0.5,
    stop_sequences: ['END'],
    stream: true,
  });
});

it('lets the fields of `body` win', () => {
  const body = encode({
    maxTokens: 5,
    body: { max_tokens: 7, model: undefined, metadata: { user_id: 'u' } },
  });
  expect(JSON.parse(JSON.stringify(body))).toMatchObject({
    max_tokens: 7,
    metadata: { user_id: 'u' },
  });
  expect(JSON.parse(JSON.stringify(body))).not.toHaveProperty('model');
});

describe('reasoning', () => {
  it('has a budget', () => {
    expect(encode({ reasoningBudget: 1_024 }).thinking).toEqual({
      type: 'enabled',
      budget_tokens: 1_024,
    });
    expect(encode({ reasoningBudget: 0 }).thinking).toEqual({ type: 'disabled' });
    expect(encode()).not.toHaveProperty('thinking');
  });

  it('has an effort, with which newer models decide themselves', () => {
    expect(encode({ reasoningEffort: 'high' })).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
    });
    expect(encode({ reasoningEffort: 'minimal' }).output_config).toEqual({ effort: 'low' });
    expect(encode({ reasoningEffort: 'max' }).output_config).toEqual({ effort: 'max' });
    const old = encode({ model: 'claude-opus-4-5', reasoningEffort: 'low' });
    expect(old.output_config).toEqual({ effort: 'low' });
    expect(old).not.toHaveProperty('thinking');
  });

  it('is turned off by the effort `none`, with every model', () => {
    for (const model of ['claude-opus-4-6', 'claude-haiku-4-5']) {
      const body = encode({ model, reasoningEffort: 'none' });
      expect(body.thinking).toEqual({ type: 'disabled' });
      expect(body).not.toHaveProperty('output_config');
    }
  });

  it('has a budget and an effort together', () => {
    expect(encode({ reasoningBudget: 2_000, reasoningEffort: 'low' })).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      output_config: { effort: 'low' },
    });
  });
});

describe('the form of the answer', () => {
  it('is a schema that the server keeps to', () => {
    const body = encode({
      responseFormat: { type: 'json', schema: SCHEMA },
      reasoningEffort: 'low',
    });
    expect(body.output_config).toEqual({
      effort: 'low',
      format: { type: 'json_schema', schema: { ...SCHEMA, additionalProperties: false } },
    });
    expect(body.system).toBe('Be kind.');
  });

  it.each([
    ['is not to be kept exactly', 'claude-opus-4-6', { schema: SCHEMA, strict: false }],
    ['is for a model that keeps to none', 'claude-sonnet-4-0', { schema: SCHEMA }],
    [
      'cannot be kept',
      'claude-opus-4-6',
      {
        schema: {
          type: 'object',
          properties: {},
          additionalProperties: { type: 'string' },
        } as const,
      },
    ],
  ])('is told in words if the schema %s', (_case, model, format) => {
    const body = encode({ model, responseFormat: { type: 'json', ...format } });
    expect(body).not.toHaveProperty('output_config');
    expect(body.system).toBe(
      'Be kind.\n\nAnswer with a JSON object, and nothing else, that is valid for this JSON Schema:\n' +
        JSON.stringify(format.schema),
    );
  });

  it('is told in words without a schema', () => {
    const body = encode({ responseFormat: { type: 'json' } });
    expect(body.system).toBe('Be kind.\n\nAnswer with a JSON object, and nothing else.');
    expect(body).not.toHaveProperty('output_config');
    expect(encode({ responseFormat: { type: 'text' } })).toEqual(encode());
  });
});

describe('settings that do not go together', () => {
  it.each([
    ['a seed', { seed: 1 }, '`seed`'],
    ['a budget that is too small', { reasoningBudget: 1_023 }, 'at least 1024'],
    [
      'a temperature while the model thinks',
      { reasoningBudget: 2_000, temperature: 0 },
      '`temperature`',
    ],
    ['topP while the model thinks', { reasoningEffort: 'low', topP: 1 }, '`topP`'],
    [
      'a temperature while `body` makes the model think',
      { temperature: 0, body: { thinking: { type: 'adaptive' } } },
      '`temperature`',
    ],
    [
      'an effort for a model without',
      { model: 'claude-haiku-4-5', reasoningEffort: 'low' },
      '`reasoningBudget`',
    ],
    [
      'a temperature for a model that refuses it',
      { model: 'claude-opus-4-7', temperature: 0 },
      '4.7',
    ],
    ['topP for a model that refuses it', { model: 'claude-sonnet-5', topP: 0.5 }, '4.7'],
  ])('such as %s are refused when the model is made', (_name, options, said) => {
    expect(() => anthropic({ model: 'claude-opus-4-6', ...options })).toThrow(said);
  });

  it('are refused for a request, too', async () => {
    const model = anthropic({ model: 'claude-opus-4-6', apiKey: 'k', fetch, temperature: 0 });
    const settings = { reasoningBudget: 2_000 };
    await expect(model.generate({ ...REQUEST, settings }, {})).rejects.toThrow('`temperature`');
  });

  it('are none if reasoning is off', () => {
    for (const off of [{ reasoningBudget: 0 }, { reasoningEffort: 'none' }]) {
      expect(anthropic({ model: 'claude-opus-4-6', temperature: 0, ...off }).name).toBe(
        'anthropic:claude-opus-4-6',
      );
    }
  });
});
