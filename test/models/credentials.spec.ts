import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChatSettings } from 'nestjs-agent-tools';
import { openai, type OpenAIOptions } from 'nestjs-agent-tools/openai';
import { failure } from './test-server.js';

const NAMES = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'GROQ_API_KEY', 'AZURE_OPENAI_API_KEY'];
const before = NAMES.map((name) => [name, process.env[name]] as const);

beforeEach(() => {
  for (const name of NAMES) delete process.env[name];
});

afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** What would go out. */
async function sent(options: Partial<OpenAIOptions>, settings?: ChatSettings): Promise<Sent> {
  const requests: Sent[] = [];
  const model = openai({
    model: 'm',
    fetch: async (url, init) => {
      requests.push({
        url: String(url instanceof Request ? url.url : url),
        headers: Object.fromEntries(new Headers(init?.headers)),
      });
      return Response.json({ choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] });
    },
    ...options,
  });
  await model.generate({ messages: [], settings }, {});
  return requests[0];
}

const keyOf = ({ headers }: Sent): string | undefined =>
  headers.authorization?.replace('Bearer ', '') ?? headers['api-key'];

describe('the key of a request', () => {
  it('is read from the environment when the request is made', async () => {
    const options = { model: 'm' };
    process.env.OPENAI_API_KEY = 'first';
    expect(keyOf(await sent(options))).toBe('first');
    process.env.OPENAI_API_KEY = 'second';
    expect(keyOf(await sent(options))).toBe('second');
  });

  it('is missed at the first request, and not before', async () => {
    const model = openai({ model: 'm', profile: 'groq' });
    const error = await failure(model.generate({ messages: [] }, {}));
    expect(error.message).toBe(
      'groq:m has no API key. Please set GROQ_API_KEY in the environment, or give `apiKey` to openai({ … }); for ' +
        'another server set `baseURL`.',
    );
  });

  it('is asked for before each request if it is a function', async () => {
    let count = 0;
    const model = { apiKey: async () => `token-${++count}` };
    expect(keyOf(await sent(model))).toBe('token-1');
    expect(keyOf(await sent(model))).toBe('token-2');
  });

  it('that a function cannot give is an error with its cause', async () => {
    const cause = new Error('vault is sealed');
    const error = await failure(sent({ apiKey: () => Promise.reject(cause) }));
    expect(error).toMatchObject({ cause, message: expect.stringContaining('`apiKey`') });
  });

  it('goes with the base URL of the environment', async () => {
    process.env.OPENAI_API_KEY = 'of-the-environment';
    process.env.OPENAI_BASE_URL = 'http://proxy.example/v1';
    const request = await sent({});
    expect(request.url).toBe('http://proxy.example/v1/chat/completions');
    expect(keyOf(request)).toBe('of-the-environment');
  });

  it('of the environment does not go to another server that the code names', async () => {
    process.env.OPENAI_API_KEY = 'of-openai';
    expect(keyOf(await sent({ baseURL: 'http://elsewhere.example/v1' }))).toBeUndefined();
    expect(
      keyOf(await sent({ baseURL: 'https://api.openai.com.evil.example/v1' })),
    ).toBeUndefined();
  });

  it('of one provider does not go to another', async () => {
    process.env.OPENAI_API_KEY = 'of-openai';
    process.env.GROQ_API_KEY = 'of-groq';
    expect(keyOf(await sent({ baseURL: 'https://api.groq.com/openai/v1' }))).toBe('of-groq');
    expect(keyOf(await sent({ profile: 'groq' }))).toBe('of-groq');
  });

  it('is sent in the header that the server reads', async () => {
    const baseURL = 'https://shop.openai.azure.com/openai/v1';
    const request = await sent({ baseURL, apiKey: 'azure-key' });
    expect(request.headers).toMatchObject({ 'api-key': 'azure-key' });
    expect(request.headers).not.toHaveProperty('authorization');
  });

  it('gives way to a header of the application', async () => {
    process.env.OPENAI_API_KEY = 'of-the-environment';
    const { headers } = await sent({ headers: { Authorization: 'Bearer own' } });
    expect(headers.authorization).toBe('Bearer own');
  });

  it('may be empty for a server that needs none', async () => {
    const { headers } = await sent({ apiKey: '', baseURL: 'http://localhost:11434/v1' });
    expect(headers).not.toHaveProperty('authorization');
  });
});

describe('a request that brings its own', () => {
  it('key, has that one', async () => {
    const request = await sent({ apiKey: 'of-the-model' }, { apiKey: 'of-the-tenant' });
    expect(keyOf(request)).toBe('of-the-tenant');
  });

  it.each(['Authorization', 'api-key', 'x-api-key'])(
    'key, sends no %s of the model beside it',
    async (name) => {
      const { headers } = await sent(
        { headers: { [name]: 'of-the-model', 'x-team': 'a' } },
        { apiKey: 'of-the-tenant' },
      );
      expect(headers).toMatchObject({ authorization: 'Bearer of-the-tenant', 'x-team': 'a' });
      expect(JSON.stringify(headers)).not.toContain('of-the-model');
    },
  );

  it('headers, has them beside those of the model', async () => {
    const { headers } = await sent(
      { apiKey: 'k', headers: { 'x-team': 'a', 'x-user': 'b' } },
      { headers: { 'X-User': 'c' } },
    );
    expect(headers).toMatchObject({ 'x-team': 'a', 'x-user': 'c' });
  });

  it('base URL of the same server, keeps the credentials of the model', async () => {
    const own = { baseURL: 'https://llm.example/v1', apiKey: 'of-the-model' };
    expect(keyOf(await sent(own, { baseURL: 'https://llm.example/v2' }))).toBe('of-the-model');
  });

  it.each([
    'https://elsewhere.example/v1',
    'http://llm.example/v1',
    'https://llm.example:8443/v1',
    'https://llm.example.evil.example/v1',
    'https://llm.example@evil.example/v1',
  ])('base URL %s, gets no credential of the model', async (baseURL) => {
    const own = {
      baseURL: 'https://llm.example/v1',
      apiKey: 'sk-of-the-model',
      headers: {
        'x-api-key': 'secret-a',
        Cookie: 'secret-b',
        'x-auth-token': 'secret-c',
        'x-team': 'a',
      },
    };
    process.env.OPENAI_API_KEY = 'sk-of-the-environment';
    const request = await sent(own, { baseURL });
    expect(request.headers).toMatchObject({ 'x-team': 'a' });
    expect(JSON.stringify(request.headers)).not.toMatch(/of-the|secret-/);
  });

  it('base URL and key, sends that key there', async () => {
    const request = await sent(
      { apiKey: 'of-the-model' },
      { baseURL: 'https://tenant.example/v1', apiKey: 'of-the-tenant' },
    );
    expect(request.url).toBe('https://tenant.example/v1/chat/completions');
    expect(keyOf(request)).toBe('of-the-tenant');
  });

  it('base URL that is none, is refused', async () => {
    await expect(sent({ apiKey: 'k' }, { baseURL: 'elsewhere' })).rejects.toThrow(
      'openai:m cannot use the base URL "elsewhere".',
    );
  });
});

describe('a server that wants a key', () => {
  const refuse = (options: Partial<OpenAIOptions>) =>
    failure(
      sent({ fetch: async () => Response.json({ error: 'no key' }, { status: 401 }), ...options }),
    );

  it('and got none is explained by why', async () => {
    process.env.OPENAI_API_KEY = 'of-openai';
    const { message } = await refuse({ baseURL: 'https://gateway.example/v1' });
    expect(message).toContain('No key was sent to gateway.example');
    expect(message).toContain('Give `apiKey` to openai({ … })');
    expect(message).not.toContain('Check the API key');
  });

  it('and got a wrong one is not', async () => {
    const { message } = await refuse({ baseURL: 'https://gateway.example/v1', apiKey: 'wrong' });
    expect(message).toContain('Check the API key and what it may do.');
    expect(message).not.toContain('No key was sent');
  });
});
