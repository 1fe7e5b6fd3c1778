/** Keys that are not in the headers, and causes that are large. */
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { ChatModel, ChatModelException } from 'nestjs-agent-tools';
import { ModelExceptionFactory } from 'nestjs-agent-tools/model-kit';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { openai, openaiResponses } from 'nestjs-agent-tools/openai';
import { collect, failure } from '../test-server.js';

const ask = { messages: [{ role: 'user' as const, content: 'x' }] };
const retry = { maxRetries: 0 };
const SECRET = 'zq7-Tr4nsp0rt-w0lf';
const shown = (error: unknown) =>
  `${inspect(error, { depth: 20, maxStringLength: Infinity })} ${JSON.stringify(error)}`;
const refusing = (text: string) =>
  (async () =>
    new Response(JSON.stringify({ error: { message: text } }), { status: 400 })) as typeof fetch;

const MCP = (fetch: typeof globalThis.fetch): ChatModel =>
  anthropic({
    model: 'claude-sonnet-4-5',
    apiKey: 'k',
    retry,
    fetch,
    body: {
      mcp_servers: [
        { type: 'url', name: 'crm', url: 'https://crm.example', authorization_token: SECRET },
      ],
    },
  });
const RESPONSES = (fetch: typeof globalThis.fetch): ChatModel =>
  openaiResponses({
    model: 'gpt-5',
    apiKey: 'k',
    retry,
    fetch,
    body: {
      tools: [
        {
          type: 'mcp',
          server_label: 'crm',
          server_url: 'https://crm.example',
          headers: { Authorization: `Bearer ${SECRET}` },
        },
      ],
    },
  });
const PROXY = (fetch: typeof globalThis.fetch): ChatModel =>
  openai({
    model: 'm',
    baseURL: 'http://proxy.example/v1',
    apiKey: '',
    retry,
    fetch,
    body: { api_key: SECRET },
  });

describe('a credential in `body` that the server repeats', () => {
  it.each([
    ['anthropic mcp_servers', MCP],
    ['responses mcp headers', RESPONSES],
    ['a key of a proxy', PROXY],
  ])('is not in the exception: %s', async (_n, make) => {
    const error = await failure(
      make(refusing(`The token ${SECRET} was refused by the MCP server.`)).generate(ask, {}),
    );
    expect(shown(error)).not.toContain(SECRET);
  });
});

describe('a cause that holds the key', () => {
  it.each([
    ['far behind in a long text', () => ({ sent: `${'x'.repeat(20_000)} ${SECRET}` })],
    [
      'late in a long list',
      () => ({ rawHeaders: [...Array.from({ length: 150 }, (_, at) => `h${at}`), SECRET] }),
    ],
    [
      'deep down',
      () => {
        let value: object = { key: SECRET };
        for (let depth = 0; depth < 12; depth++) value = { inner: value };
        return value;
      },
    ],
  ])('is not kept: %s', async (_n, make) => {
    const fetch = (async () => {
      throw Object.assign(new Error('fetch failed'), make());
    }) as unknown as typeof globalThis.fetch;
    const error = await failure(
      openai({ model: 'm', apiKey: SECRET, retry, fetch }).generate(ask, {}),
    );
    expect(shown(error)).not.toContain(SECRET);
  });
});

describe('an image', () => {
  it('whose address has a password is not quoted', async () => {
    const model = anthropic({
      model: 'claude-sonnet-4-5',
      apiKey: 'k',
      retry,
      fetch: refusing('No.'),
    });
    const error = await failure(
      model.generate(
        {
          messages: [
            {
              role: 'user',
              content: [{ type: 'image', url: 'http://u:zq7-Tr4nsp0rt@10.0.0.1/a.png' }],
            },
          ],
        },
        {},
      ),
    );
    expect(error.message).not.toContain('zq7-Tr4nsp0rt');
  });
});

describe('a key', () => {
  const key = 'abc/def+ghi/jkl+mnöpqrst==';
  const units = (text: string, form: (code: number) => string) =>
    text.replace(/[^a-z]/g, (character) => form(character.charCodeAt(0)));

  it.each<[string, string]>([
    ['as PHP writes it in JSON', key.replaceAll('/', '\\/')],
    [
      'as .NET writes it in JSON',
      units(key, (code) => `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`),
    ],
    [
      'as Python writes it in JSON',
      units(key, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
    ],
    [
      'in small percent forms',
      encodeURIComponent(key).replace(/%../g, (form) => form.toLowerCase()),
    ],
    ['in capital percent forms', encodeURIComponent(key)],
    ['in a page', units(key, (code) => `&#${code};`)],
    ['in a page, in hexadecimal', units(key, (code) => `&#x${code.toString(16)};`)],
    ['in Base64', Buffer.from(key).toString('base64')],
  ])('is not told %s', async (_form, told) => {
    const fetch = () =>
      Promise.resolve(new Response(`{"error":{"message":"Bad key <${told}>"}}`, { status: 401 }));
    const body = { mcp: { password: key } };
    const model = openai({ model: 'm', baseURL: 'http://x.example', retry, fetch, body });
    const error = await failure<ChatModelException>(model.generate(ask, {}));
    expect(error.message).toContain('Bad key <[redacted]');
    expect(error.body).toContain('Bad key <[redacted]');
  });

  it.each<[string, object]>([
    ['in a list', { api_keys: [SECRET] }],
    ['below a name that says so', { auth: { value: SECRET } }],
    ['in a pair', { tools: [{ headers: [['Authorization', `Bearer ${SECRET}`]] }] }],
    ['in a field', { tools: [{ headers: [{ name: 'Authorization', value: SECRET }] }] }],
    ['in the query of an address', { tools: [{ url: `https://mcp.example/?api_key=${SECRET}` }] }],
    ['in an address with a password', { tools: [{ url: `https://u:${SECRET}@mcp.example/` }] }],
    [
      'in what a class has made',
      {
        servers: [
          new (class {
            authorization_token = SECRET;
          })(),
        ],
      },
    ],
  ])('of the body is not told: %s', async (_where, body) => {
    const fetch = refusing(`Cannot use ${SECRET} here`);
    const model = openai({ model: 'm', apiKey: 'k', retry, fetch, body: { ...body } });
    expect(shown(await failure(model.generate(ask, {})))).not.toContain(SECRET);
  });
});

describe('a text or a cause that is made to be slow', () => {
  it.each<[string, string]>([
    ['begins of tokens', '-eyJ'.repeat(250_000)],
    ['addresses', 'a://'.repeat(250_000)],
    ['begins of keys', 'sk-'.repeat(330_000)],
  ])('does not keep the process busy: %s', async (_what, text) => {
    const event = `data: ${JSON.stringify({ error: { message: text } })}\n\n`;
    const headers = { 'content-type': 'text/event-stream' };
    const fetch = () => Promise.resolve(new Response(event, { headers }));
    const model = openai({ model: 'm', apiKey: 'kkkkkkkk', retry, fetch });
    const started = performance.now();
    await failure(collect(model.stream(ask, {})));
    expect(performance.now() - started).toBeLessThan(1_500);
  });

  it('does not keep the process busy: shared parts', () => {
    let cause: object = { text: 'x' };
    for (let depth = 0; depth < 12; depth++) cause = { a: cause, b: cause, c: cause, d: cause };
    const started = performance.now();
    new ModelExceptionFactory({ label: 'a:b' }).from({ message: 'real', cause });
    expect(performance.now() - started).toBeLessThan(1_500);
  });

  it('does not hide the failure, if it cannot be shown', () => {
    const cause = {
      [inspect.custom]() {
        throw new Error('boom');
      },
    };
    const error = new ModelExceptionFactory({ label: 'a:b' }).from({ message: 'real', cause });
    expect(error.message).toBe('a:b failed: real.');
  });

  it('stays, if its message only has a word in brackets', () => {
    const cause = Object.assign(new Error('[Errno] cannot connect'), { code: 'ECONNRESET' });
    const error = new ModelExceptionFactory({ label: 'a:b' }).from({ message: 'real', cause });
    expect(error.cause).toBe(cause);
  });
});
