/** Keys that are not in the headers, and causes that are large. */
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { ChatModel } from 'nestjs-agent-tools';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { openai, openaiResponses } from 'nestjs-agent-tools/openai';
import { failure } from '../test-server.js';

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
