import { describe, expect, it } from '@jest/globals';
import { ChatModelException, type ResponseFormat } from 'nestjs-agent-tools';
import {
  openai,
  toChatCompletionsBody,
  toResponsesBody,
  type OpenAIProfileName,
} from 'nestjs-agent-tools/openai';
import { failure } from '../models/test-server.js';

const schema = {
  type: 'object' as const,
  properties: { word: { type: 'string' } },
  required: ['word'],
};
/** Its keys are free, which no strict schema may have. */
const open = { type: 'object' as const, properties: {}, additionalProperties: { type: 'number' } };
const description = 'A verdict in one word.';

const request = { messages: [] };
const body = (responseFormat: ResponseFormat, profile: OpenAIProfileName = 'openai') =>
  toChatCompletionsBody(request, { model: 'm', profile, responseFormat });
const words = (responseFormat: ResponseFormat, profile: OpenAIProfileName) => {
  const [message] = body(responseFormat, profile).messages as { role: string; content: string }[];
  expect(message?.role).toBe('system');
  return message?.content;
};

describe('the description of a response format', () => {
  it.each(['deepseek', 'zai'] as const)('is told to the model of %s in words', (profile) => {
    const text = words({ type: 'json', schema, description }, profile);
    expect(text).toContain(description);
    expect(text).toContain(JSON.stringify(schema));
    expect(words({ type: 'json', schema }, profile)).not.toContain('undefined');
  });

  it.each(['openai', 'deepseek', 'groq'] as const)(
    'is told to the model of %s in words if there is no schema',
    (profile) => {
      const text = words({ type: 'json', description }, profile);
      expect(text).toContain(description);
      // OpenAI refuses to be asked for JSON by messages without this word.
      expect(text).toContain('JSON');
      expect(body({ type: 'json' }, profile).messages).toEqual([]);
    },
  );

  it('is sent once where there is a place for it', () => {
    const sent = body({ type: 'json', schema, description });
    expect(sent.messages).toEqual([]);
    expect(sent.response_format).toMatchObject({ json_schema: { description } });
  });

  it('is told to a server of the Responses API, too', () => {
    const { input } = toResponsesBody(request, {
      model: 'm',
      profile: 'deepseek',
      responseFormat: { type: 'json', schema, description },
    });
    expect(JSON.stringify(input)).toContain(description);
  });
});

describe('a response format whose schema cannot be strict', () => {
  it('is sent without, unless the application asks for it', () => {
    const format: ResponseFormat = { type: 'json', schema: open };
    for (const given of [format, { ...format, strict: false }]) {
      expect(body(given).response_format).toMatchObject({ json_schema: { strict: false } });
    }
  });

  it('is an error with `strict: true`, which names what it is and what to do', async () => {
    const format: ResponseFormat = { type: 'json', schema: open, strict: true };
    expect(() => body(format)).toThrow(ChatModelException);
    expect(() => body(format)).toThrow(
      /`responseFormat: \{ strict: true \}`.*openai.*\/additionalProperties: an object with free keys.*leave `strict` out/s,
    );
    expect(() =>
      toResponsesBody(request, { model: 'm', profile: 'xai', responseFormat: format }),
    ).toThrow(/xai/);
    const model = openai({
      model: 'm',
      apiKey: 'k',
      responseFormat: format,
      fetch: () => Promise.reject(new Error('sent')),
    });
    const error = await failure(model.generate(request));
    expect(error).toMatchObject({ name: 'ChatModelException', retryable: false });
    expect(error.message).not.toContain('sent');
  });

  it('is no error where the schema can be strict, or the server takes none', () => {
    expect(body({ type: 'json', schema, strict: true }).response_format).toMatchObject({
      json_schema: { strict: true },
    });
    expect(body({ type: 'json', schema: open, strict: true }, 'deepseek').response_format).toEqual({
      type: 'json_object',
    });
  });
});
