import { describe, expect, it } from '@jest/globals';
import { openai, openaiResponses, type OpenAIOptions } from 'nestjs-agent-tools/openai';

const ANSWER = {
  object: 'response',
  output: [],
  choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }],
};

type Options = Partial<Pick<OpenAIOptions, 'profile' | 'baseURL' | 'fetch'>>;

async function addressOf(
  options: Options,
  make: (options: never) => ReturnType<typeof openai> = openai,
): Promise<string> {
  let address = '';
  const fetch = async (url: unknown) => {
    address = String(url);
    return Response.json(ANSWER);
  };
  await make({ model: 'm', apiKey: 'k', ...options, fetch } as never).generate({ messages: [] });
  return address;
}

describe('a base URL without a path', () => {
  it.each([
    ['https://shop.openai.azure.com', 'https://shop.openai.azure.com/openai/v1'],
    ['https://shop.openai.azure.com/', 'https://shop.openai.azure.com/openai/v1'],
    [
      'https://shop.services.ai.azure.com?api-version=preview',
      'https://shop.services.ai.azure.com/openai/v1',
    ],
    ['http://localhost:11434', 'http://localhost:11434/v1'],
    ['http://ollama:11434/', 'http://ollama:11434/v1'],
    ['http://localhost:1234', 'http://localhost:1234/v1'],
    ['https://eu.api.openai.com', 'https://eu.api.openai.com/v1'],
    ['https://openrouter.ai', 'https://openrouter.ai/api/v1'],
    ['https://api.deepseek.com', 'https://api.deepseek.com'],
  ])('%s gets that of its provider', async (baseURL, whole) => {
    const { search } = new URL(baseURL);
    expect(await addressOf({ baseURL })).toBe(`${whole}/chat/completions${search}`);
  });

  it('gets that of its provider for the Responses API', async () => {
    const baseURL = 'https://shop.openai.azure.com';
    expect(await addressOf({ baseURL }, openaiResponses)).toBe(`${baseURL}/openai/v1/responses`);
  });

  it('gets that of the profile which the application names', async () => {
    const baseURL = 'http://gpu.local:8000';
    expect(await addressOf({ baseURL, profile: 'vllm' })).toBe(`${baseURL}/v1/chat/completions`);
    const profile = { basePath: '/llm/v2' };
    expect(await addressOf({ baseURL, profile })).toBe(`${baseURL}/llm/v2/chat/completions`);
  });

  it('stays as it is if nobody knows the server, or the application says so', async () => {
    expect(await addressOf({ baseURL: 'http://x' })).toBe('http://x/chat/completions');
    const baseURL = 'http://localhost:11434';
    expect(await addressOf({ baseURL, profile: { basePath: '' } })).toBe(
      `${baseURL}/chat/completions`,
    );
  });
});

it.each([
  ['https://shop.openai.azure.com/openai', '/openai/chat/completions'],
  ['http://localhost:11434/api', '/api/chat/completions'],
  ['http://localhost:11434/chat/completions', '/chat/completions'],
])('a base URL with a path stays as it is: %s', async (baseURL, path) => {
  expect(new URL(await addressOf({ baseURL })).pathname).toBe(path);
});
