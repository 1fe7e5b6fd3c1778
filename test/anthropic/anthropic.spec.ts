import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChatModelException } from 'nestjs-agent-tools';
import { anthropic, type AnthropicOptions } from 'nestjs-agent-tools/anthropic';
import { failure, sendJson, startEvents, startServer } from '../models/test-server.js';
import { read, REQUEST } from './support/replay.js';
import { events, message, sendEvents, toSse } from './support/streams.js';

const HELLO = message([{ type: 'text', text: 'Hello' }]);

/** What a model sends for one request. */
async function send(options: Partial<AnthropicOptions>) {
  let sent = { url: '', headers: new Headers() };
  const model = anthropic({
    model: 'claude-opus-4-6',
    ...options,
    fetch: async (url, init) => {
      sent = {
        url: url instanceof Request ? url.url : String(url),
        headers: new Headers(init?.headers),
      };
      return Response.json(HELLO);
    },
  });
  await model.generate(REQUEST, {});
  return sent;
}

describe('anthropic()', () => {
  const { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url } = process.env;

  beforeEach(() => {
    delete process.env.ANTHROPIC_API_KEY;
    delete process.env.ANTHROPIC_BASE_URL;
  });

  afterEach(() => {
    Object.assign(
      process.env,
      key && { ANTHROPIC_API_KEY: key },
      url && { ANTHROPIC_BASE_URL: url },
    );
  });

  it('is named after its model', () => {
    expect(anthropic({ model: 'claude-opus-4-6' }).name).toBe('anthropic:claude-opus-4-6');
  });

  it('needs the name of a model', () => {
    expect(() => anthropic({ model: '' })).toThrow('needs the name of a model');
    expect(() => anthropic({} as AnthropicOptions)).toThrow('needs the name of a model');
  });

  it('asks Anthropic with its key and version', async () => {
    const { url: to, headers } = await send({ apiKey: 'sk-ant-1' });
    expect(to).toBe('https://api.anthropic.com/v1/messages');
    expect(headers.get('x-api-key')).toBe('sk-ant-1');
    expect(headers.get('anthropic-version')).toBe('2023-06-01');
    expect(headers.get('anthropic-beta')).toBeNull();
    expect(headers.get('authorization')).toBeNull();
  });

  it('takes key and address from the environment at the time of the request', async () => {
    const { url: to, headers } = await (async () => {
      process.env.ANTHROPIC_API_KEY = 'sk-env';
      process.env.ANTHROPIC_BASE_URL = 'http://localhost:1/anthropic';
      return send({});
    })();
    expect(to).toBe('http://localhost:1/anthropic/v1/messages');
    expect(headers.get('x-api-key')).toBe('sk-env');
  });

  it.each([
    ['https://x.example', 'https://x.example/v1/messages'],
    ['https://x.example/v1', 'https://x.example/v1/messages'],
    ['https://x.example/v1/', 'https://x.example/v1/messages'],
    ['https://x.example/a/v1/messages', 'https://x.example/a/v1/messages'],
    ['https://x.example/a?b=c', 'https://x.example/a/v1/messages?b=c'],
  ])('reaches a server at %s', async (baseURL, to) => {
    expect((await send({ baseURL, apiKey: 'k' })).url).toBe(to);
  });

  it('keeps the key of the environment from other servers', async () => {
    process.env.ANTHROPIC_API_KEY = 'sk-env';
    expect((await send({ baseURL: 'https://x.example' })).headers.get('x-api-key')).toBeNull();
  });

  it('says what to do without a key', async () => {
    const { message: said } = await failure(send({}));
    expect(said).toContain('anthropic:claude-opus-4-6 has no API key.');
    expect(said).toMatch(
      /ANTHROPIC_API_KEY in the environment, or .*`apiKey` to anthropic\(\{ … \}\)/,
    );
  });

  it('sends a bearer token in place of a key', async () => {
    process.env.ANTHROPIC_API_KEY = 'sk-env';
    const { headers } = await send({ headers: { authorization: 'Bearer token' } });
    expect(headers.get('authorization')).toBe('Bearer token');
    expect(headers.get('x-api-key')).toBeNull();
  });

  it('may be told another version of the API', async () => {
    const { headers } = await send({ apiKey: 'k', headers: { 'Anthropic-Version': '2026-10-21' } });
    expect(headers.get('anthropic-version')).toBe('2026-10-21');
  });

  it('names features in preview', async () => {
    const { headers } = await send({ apiKey: 'k', betas: ['a-2026', 'b-2026'] });
    expect(headers.get('anthropic-beta')).toBe('a-2026,b-2026');
  });
});

describe('errors of the server', () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  const once = { retry: { maxRetries: 0 } };
  const model = (baseURL: string, options: Partial<AnthropicOptions> = {}) =>
    anthropic({ model: 'claude-opus-4-6', apiKey: 'sk-ant-secret', baseURL, ...options });

  it('within a stream are thrown, and tell whether to try again', async () => {
    const [start] = events([]);
    const { url } = await startServer((response) => {
      startEvents(response);
      response.end(toSse([start ?? error, error]));
    });
    expect(await failure<ChatModelException>(read(model(url, once)))).toMatchObject({
      code: 'overloaded_error',
      retryable: true,
      provider: 'anthropic',
      message: expect.stringContaining('Overloaded') as unknown,
    });
  });

  it('as the whole answer are thrown', async () => {
    const { url } = await startServer((response) => {
      sendJson(response, 200, error);
    });
    await expect(model(url, once).generate(REQUEST, {})).rejects.toThrow('Overloaded');
  });

  it('that pass are tried again', async () => {
    const server = await startServer((response, attempt) => {
      if (attempt === 1) sendJson(response, 529, error);
      else if (attempt === 2) sendEvents(response, [error]);
      else sendEvents(response, events(HELLO.content));
    });
    const { content } = await read(model(server.url, { retry: { delay: 1 } }));
    expect(content).toEqual([{ type: 'text', text: 'Hello' }]);
    expect(server.requests).toHaveLength(3);
  });

  it('that stay are not, and hold no key', async () => {
    const server = await startServer((response) => {
      sendJson(response, 400, {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'bad key sk-ant-secret' },
      });
    });
    const thrown = await failure<ChatModelException>(model(server.url).generate(REQUEST, {}));
    expect(thrown).toMatchObject({ status: 400, code: 'invalid_request_error', retryable: false });
    expect(thrown.message).not.toContain('sk-ant-secret');
    expect(server.requests).toHaveLength(1);
  });
});

it('ends after the last event, though the server keeps the connection open', async () => {
  const server = await startServer((response) => {
    startEvents(response);
    response.write(toSse(events(HELLO.content)));
  });
  const model = anthropic({ model: 'claude-opus-4-6', apiKey: 'k', baseURL: server.url });
  expect((await read(model)).content).toEqual([{ type: 'text', text: 'Hello' }]);
  await server.requests[0]?.closed;
});
