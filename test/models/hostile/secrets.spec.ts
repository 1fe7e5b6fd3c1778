import { inspect } from 'node:util';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ChatModelException, type ChatModel } from 'nestjs-agent-tools';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai } from 'nestjs-agent-tools/openai';
import { recordTraffic } from 'nestjs-agent-tools/testing';
import { collect, failure, sendJson, startEvents, startServer } from '../test-server.js';

const KEY = 'zq7-Very+Secret/Value=="42"';
const retry = { maxRetries: 0 };
const ask = { messages: [{ role: 'user' as const, content: 'x' }] };

function shown(error: Error): string {
  return [
    inspect(error, { depth: 10, showHidden: true }),
    JSON.stringify(error),
    JSON.stringify(error, Object.getOwnPropertyNames(error)),
    error.stack,
    String(error),
  ].join('\n');
}

const FACTORIES: [string, (options: { baseURL: string; apiKey: string }) => ChatModel][] = [
  ['openai', (o) => openai({ model: 'm', retry, ...o })],
  ['azure', (o) => openai({ model: 'm', retry, profile: 'azure', ...o })],
  ['anthropic', (o) => anthropic({ model: 'claude-sonnet-4-5', retry, ...o })],
  ['gemini', (o) => gemini({ model: 'gemini-2.5-flash', retry, ...o })],
];

describe.each(FACTORIES)(
  'a redirect to another server does not take the key along: %s',
  (_, make) => {
    it.each([302, 307, 308])('%i', async (status) => {
      // 302 comes as a GET without a body, which the test server cannot parse.
      const seen: string[] = [];
      const http = await import('node:http');
      const other = http.createServer((request, response) => {
        seen.push(JSON.stringify(request.headers));
        request.resume();
        sendJson(response, 200, {});
      });
      await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
      const { port } = other.address() as { port: number };
      try {
        const own = await startServer((response) => {
          response.writeHead(status, { location: `http://127.0.0.1:${port}/v1/x` });
          response.end();
        });
        await failure(make({ baseURL: own.url, apiKey: 'plain-secret-1234' }).generate(ask, {}));
        expect(seen.join()).not.toContain('plain-secret-1234');
      } finally {
        other.closeAllConnections();
        await new Promise((resolve) => void other.close(resolve));
      }
    });
  },
);

const FORMS: [string, (key: string) => string][] = [
  ['as it is', (key) => key],
  ['escaped as JSON', (key) => JSON.stringify(key).slice(1, -1)],
  ['percent-encoded', (key) => encodeURIComponent(key)],
  ['base64', (key) => Buffer.from(key).toString('base64')],
  ['base64 of "Bearer key"', (key) => Buffer.from(`Bearer ${key}`).toString('base64')],
];

describe.each(FORMS)('a key that the server repeats %s', (_, form) => {
  const wire = form(KEY);
  it.each([
    ['JSON error', (text: string) => JSON.stringify({ error: { message: text } })],
    ['JSON code', (text: string) => JSON.stringify({ error: { message: 'm', code: text } })],
    ['plain text', (text: string) => `no: ${text}`],
    ['html', (text: string) => `<html><title>${text}</title>`],
  ])('is not in the exception: %s', async (_name, body) => {
    const server = await startServer((response) => {
      response.writeHead(400, { 'content-type': 'text/plain' });
      response.end(body(wire));
    });
    const model = openai({ model: 'm', baseURL: server.url, apiKey: KEY, retry });
    const text = shown(await failure(model.generate(ask, {})));
    expect(text).not.toContain(wire);
    expect(text).not.toContain(KEY);
  });
});

describe('a key', () => {
  it('that stands in the query of the base URL and is repeated by the server', async () => {
    const server = await startServer((response) =>
      sendJson(response, 401, { error: { message: 'The key quiteSecret99 is wrong' } }),
    );
    const model = openai({
      model: 'm',
      baseURL: `${server.url}/v1?key=quiteSecret99`,
      retry,
      apiKey: '',
    });
    expect(shown(await failure(model.generate(ask, {})))).not.toContain('quiteSecret99');
  });

  it('that comes back as the id of the request', async () => {
    const server = await startServer((response) =>
      sendJson(response, 401, {}, { 'x-request-id': 'quiteSecret99' }),
    );
    const model = openai({ model: 'm', baseURL: server.url, retry, apiKey: 'quiteSecret99' });
    expect(shown(await failure(model.generate(ask, {})))).not.toContain('quiteSecret99');
  });

  it('that comes back in an SSE error event', async () => {
    const server = await startServer((response) => {
      startEvents(response);
      response.end('event: error\ndata: {"error":{"message":"bad quiteSecret99"}}\n\n');
    });
    const model = openai({ model: 'm', baseURL: server.url, retry, apiKey: 'quiteSecret99' });
    expect(shown(await failure(collect(model.stream(ask, {}))))).not.toContain('quiteSecret99');
  });

  it('that comes back in an event that is no JSON', async () => {
    const server = await startServer((response) => {
      startEvents(response);
      response.end('data: oops quiteSecret99\n\n');
    });
    const model = openai({ model: 'm', baseURL: server.url, retry, apiKey: 'quiteSecret99' });
    expect(shown(await failure(collect(model.stream(ask, {}))))).not.toContain('quiteSecret99');
  });

  it('as a user without a password in the base URL', async () => {
    const model = openai({
      model: 'm',
      baseURL: 'http://quiteSecret99@127.0.0.1:9/v1',
      apiKey: '',
      retry,
    });
    expect(shown(await failure(model.generate(ask, {})))).not.toContain('quiteSecret99');
  });

  it('as a password in the base URL', async () => {
    const model = openai({
      model: 'm',
      baseURL: 'http://me:quiteSecret99@127.0.0.1:9/v1',
      apiKey: '',
      retry,
    });
    expect(shown(await failure(model.generate(ask, {})))).not.toContain('quiteSecret99');
  });

  it.each(['//gw.example/v1?key=quiteSecret99', 'ws://me:quiteSecret99@gw.example/v1'])(
    'in a base URL that cannot be used: %s',
    async (baseURL) => {
      const make = () => openai({ model: 'm', baseURL, apiKey: '', retry });
      const model = openai({ model: 'm', baseURL: 'http://127.0.0.1:9', apiKey: '', retry });
      const asked = model.generate({ ...ask, settings: { baseURL } });
      for (const error of [await failure((async () => make())()), await failure(asked)]) {
        expect(error).toBeInstanceOf(ChatModelException);
        expect(shown(error)).not.toContain('quiteSecret99');
      }
    },
  );

  it('in the query of a server that cannot be reached', async () => {
    const model = openai({
      model: 'm',
      baseURL: 'http://127.0.0.1:9/v1?sig=quiteSecret99',
      apiKey: '',
      retry,
    });
    expect(shown(await failure(model.generate(ask, {})))).not.toContain('quiteSecret99');
  });

  it.each<[string, () => Error]>([
    [
      'in a field',
      () =>
        Object.assign(new Error('failed'), {
          config: { headers: { authorization: 'Bearer quiteSecret99' } },
        }),
    ],
    [
      'in a deep cause',
      () => new Error('a', { cause: new Error('b', { cause: new Error('quiteSecret99') }) }),
    ],
    ['in an AggregateError', () => new AggregateError([new Error('quiteSecret99')], 'all failed')],
    ['in the stack only', () => Object.assign(new Error('x'), { stack: 'at quiteSecret99' })],
  ])('in an error of a replaced fetch, %s', async (_, make) => {
    const model = openai({
      model: 'm',
      baseURL: 'http://127.0.0.1:9/v1',
      apiKey: 'quiteSecret99',
      retry,
      fetch: () => Promise.reject(make()),
    });
    expect(shown(await failure(model.generate(ask, {})))).not.toContain('quiteSecret99');
  });

  it.each([
    'http://api.openai.com/v1',
    'http://api.openai.com:8080/v1',
    'https://api.openai.com:8443/v1',
  ])('of the environment does not go in clear text or to another port: %s', async (baseURL) => {
    const before = process.env.OPENAI_API_KEY;
    process.env.OPENAI_API_KEY = 'quiteSecret99';
    let headers = '';
    try {
      const model = openai({
        model: 'm',
        retry,
        fetch: (_url, init) => {
          headers += JSON.stringify([...new Headers(init?.headers)]);
          return Promise.reject(new Error('no'));
        },
      });
      await failure(model.generate({ ...ask, settings: { baseURL } }, {}));
    } finally {
      if (before === undefined) delete process.env.OPENAI_API_KEY;
      else process.env.OPENAI_API_KEY = before;
    }
    expect(headers).not.toContain('quiteSecret99');
  });

  it.each([
    'https://api.openai.com.evil.example/v1',
    'https://evil.example/api.openai.com',
    'https://api.openai.com@evil.example/v1',
    'https://evilapi.openai.com.attacker.example',
    'https://api.openai.com./v1',
    'https://[::1]/v1',
    'https://xn--pi-7ja.openai.com.evil/v1',
    'https://API.OPENAI.COM.EVIL/v1',
  ])('of the model stays away from %s', async (baseURL) => {
    let sent = '';
    const model = openai({
      model: 'm',
      apiKey: 'quiteSecret99',
      headers: { 'x-pass': 'quiteSecret99', 'x-api-key': 'quiteSecret99', cookie: 'quiteSecret99' },
      retry,
      fetch: (_url, init) => {
        sent += JSON.stringify([...new Headers(init?.headers)]);
        return Promise.reject(new Error('no'));
      },
    });
    await failure(model.generate({ ...ask, settings: { baseURL } }, {}));
    expect(sent.replace(/\["x-pass",[^\]]*\]/, '')).not.toContain('quiteSecret99');
    expect(sent).not.toContain('x-pass');
  });

  it.each([
    ['as it is', KEY],
    ['base64', Buffer.from(KEY).toString('base64')],
  ])('is not in a recording when the server repeats it %s', async (_, wire) => {
    const file = join(mkdtempSync(join(tmpdir(), 'rec-')), 'a.json');
    const server = await startServer((response) => {
      startEvents(response);
      response.end(
        `data: {"choices":[{"delta":{"content":"${wire.replaceAll('"', '\\"')}"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
      );
    });
    const model = openai({
      model: 'm',
      baseURL: server.url,
      apiKey: KEY,
      retry,
      fetch: recordTraffic(file),
    });
    await collect(model.stream(ask, {}));
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(wire);
    expect(text).not.toContain(JSON.stringify(wire).slice(1, -1));
  });
});
