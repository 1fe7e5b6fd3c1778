import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ChatModel, ChatRequest } from 'nestjs-agent-tools';
import { openai } from 'nestjs-agent-tools/openai';
import {
  forbidRealModels,
  recordTraffic,
  replayTraffic,
  type RecordedTraffic,
} from 'nestjs-agent-tools/testing';
import { collect, failure, sendJson, startEvents, startServer } from '../models/test-server.js';

const KEY = 'planted-credential-4711';
const request: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }] };

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'traffic-'));
  file = join(folder, 'deep', 'down', 'traffic.json');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(): RecordedTraffic {
  return JSON.parse(readFileSync(file, 'utf8')) as RecordedTraffic;
}

function model(
  send: typeof fetch,
  baseURL = 'http://127.0.0.1:1',
  apiKey = 'other-key',
): ChatModel {
  return openai({ model: 'm', apiKey, baseURL, fetch: send, retry: { maxRetries: 0 } });
}

function sendStream(response: ServerResponse): void {
  startEvents(response);
  for (const content of ['Hel', 'lö ', '😀']) {
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
  }
  response.write(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n`);
  response.end('data: [DONE]\n\n');
}

function readerOf({ body }: Response): ReadableStreamDefaultReader<Uint8Array> {
  if (!body) throw new Error('There is no body.');
  return body.getReader();
}

const WHOLE = { id: 'c-1', choices: [{ message: { content: 'Hellö' }, finish_reason: 'stop' }] };

async function server() {
  return startServer((response, attempt) => {
    if (attempt % 2 === 1) sendJson(response, 200, WHOLE, { 'x-request-id': 'r-1', date: 'now' });
    else sendStream(response);
  });
}

describe('recordTraffic() and replayTraffic()', () => {
  it('give the same answers, with and without a network', async () => {
    const { url } = await server();
    const real = model(recordTraffic(file), url, KEY);
    const whole = await real.generate(request, {});
    const pieces = await collect(real.stream(request, {}));
    expect(read().interactions).toHaveLength(2);
    const undo = forbidRealModels();
    try {
      for (const chunkSize of [undefined, 1, 7, 10_000]) {
        const send = replayTraffic(file, { chunkSize });
        const replayed = model(send);
        expect(() => send.assertComplete()).toThrow('2 of 2 requests');
        expect(await replayed.generate(request, {})).toEqual(whole);
        expect(() => send.assertComplete()).toThrow('1 of 2 requests');
        expect(await collect(replayed.stream(request, {}))).toEqual(pieces);
        send.assertComplete();
      }
    } finally {
      undo();
    }
  });

  it('keep JSON as such, streams as text, and few headers', async () => {
    const { url } = await server();
    const real = model(recordTraffic(file), url, KEY);
    await real.generate(request, {});
    await collect(real.stream(request, {}));
    const [whole, stream] = read().interactions;
    expect(whole.request).toMatchObject({
      method: 'POST',
      uri: `${url}/chat/completions`,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: { model: 'm' },
    });
    expect(whole.response).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json', 'x-request-id': 'r-1' },
      body: WHOLE,
    });
    expect(stream.response.body).toMatch(/^data: .*\n\ndata: \[DONE\]\n\n$/s);
    expect(readdirSync(join(file, '..'))).toEqual(['traffic.json']);
  });

  it('keep bytes, long numbers and empty bodies as they are', async () => {
    const bodies = [Buffer.from([0, 255, 1]), Buffer.from('{"n": 12345678901234567890}'), null];
    const left = [...bodies];
    const real = recordTraffic(file, { fetch: async () => new Response(left.shift()) });
    for (const _ of bodies) await (await real('http://x.example/')).arrayBuffer();
    const replay = replayTraffic(file);
    for (const body of bodies) {
      const answer = await replay('http://y.example/');
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(body ?? Buffer.alloc(0));
    }
    expect(read().interactions[0].response.body).toEqual({ base64: 'AP8B' });
  });

  it('leave no secret in the file', async () => {
    const secrets = [
      KEY,
      'url-secret/=+12',
      'body-"secret"-5',
      'user-name-9',
      'pass-word-9',
      'own-secret',
    ];
    const known = ['sk-proj-abcdefghijklmnop1234', 'AIzaSyA1234567890abcdefghijklmno'];
    const echo = [...secrets, ...known, encodeURIComponent(secrets[1])];
    const send: typeof fetch = async (_, init) => {
      const accept = new Headers(init?.headers).get('accept');
      const answer = { echo, [KEY]: 1, nested: { access_token: 'issued-by-server' } };
      if (accept === 'bytes') return new Response(Buffer.from(`\xff${KEY}`, 'latin1'));
      const text = JSON.stringify(answer);
      return new Response(accept === 'text' ? `data: ${text}\n\n` : text, {
        headers: { 'x-request-id': `r-${KEY}`, 'set-cookie': KEY, 'x-other-key': KEY },
      });
    };
    const real = recordTraffic(file, {
      fetch: send,
      headers: ['authorization', 'x-other-key', 'x-note'],
      secrets: ['own-secret'],
    });
    const url = new URL('http://user-name-9:pass-word-9@x.example/v1');
    url.searchParams.set('key', secrets[1]);
    url.searchParams.set('note', KEY);
    for (const accept of ['json', 'text', 'bytes']) {
      const answer = await real(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, accept, 'x-note': `is ${KEY}` },
        body: JSON.stringify({ api_key: secrets[2], text: echo.join(' ') }),
      });
      await answer.arrayBuffer();
    }
    const { interactions } = read();
    const text = readFileSync(file, 'utf8');
    const bytes = (interactions[2].response.body as { base64: string }).base64;
    const all = text + Buffer.from(bytes, 'base64').toString('latin1');
    for (const secret of [...echo, 'issued-by-server', JSON.stringify(secrets[2]).slice(1, -1)]) {
      expect(all).not.toContain(secret);
    }
    expect(interactions[0].request.uri).toBe('http://x.example/v1?key=[redacted]&note=[redacted]');
    const replay = replayTraffic(file);
    const again = await replay('http://z.example/v1?key=another-one&note=[redacted]', {
      method: 'POST',
      body: JSON.stringify(interactions[0].request.body),
    });
    expect(await again.json()).toEqual(interactions[0].response.body);
  });

  it('hand pieces on when they come', async () => {
    let finish = (): void => {};
    const { url } = await startServer((response) => {
      startEvents(response);
      response.write('data: {"choices":[{"index":0,"delta":{"content":"first"}}]}\n\n');
      finish = () => response.end('data: {"choices":[{"index":0,"finish_reason":"stop"}]}\n\n');
    });
    const stream = model(recordTraffic(file), url).stream(request, {})[Symbol.asyncIterator]();
    expect((await stream.next()).value).toMatchObject({ text: 'first' });
    expect(existsSync(file)).toBe(false);
    finish();
    await collect({ [Symbol.asyncIterator]: () => stream });
    expect(read().interactions).toHaveLength(1);
  });

  it('keep the order of the requests, whichever ends first', async () => {
    const real = recordTraffic(file, { fetch: async (url) => new Response(String(url)) });
    const [a, b, c] = await Promise.all(
      ['a', 'b', 'c'].map((name) => real(`http://x.example/${name}`)),
    );
    const paths = (): string[] => read().interactions.map(({ request: { uri } }) => uri.slice(-1));
    await c.text();
    expect(paths()).toEqual(['c']);
    await a.text();
    expect(paths()).toEqual(['a', 'c']);
    await b.text();
    expect(paths()).toEqual(['a', 'b', 'c']);
  });

  it('keep what came of a broken answer, and replay it as broken', async () => {
    const { url } = await startServer(async (response) => {
      startEvents(response);
      response.write('data: {"choices":[{"index":0,"delta":{"content":"first"}}]}\n\n');
      await new Promise(setImmediate);
      response.destroy();
    });
    const broken = await failure(collect(model(recordTraffic(file), url).stream(request, {})));
    expect(read().interactions[0].response).toMatchObject({ interrupted: true });
    const replayed = await failure(collect(model(replayTraffic(file)).stream(request, {})));
    expect(replayed.message).toContain('broke off its answer');
    expect(broken.message).toContain('broke off its answer');
  });

  it('keep what came of an answer that its reader left', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Buffer.from('x')),
      cancel: () => {
        isCancelled = true;
      },
    });
    const real = recordTraffic(file, { fetch: async () => new Response(body) });
    const reader = readerOf(await real('http://x.example/'));
    await reader.read();
    await reader.cancel();
    expect(isCancelled).toBe(true);
    expect(read().interactions[0].response).toMatchObject({ interrupted: true, body: 'x' });
  });

  it('leave out a request without an answer', async () => {
    const send: typeof fetch = async (url) => {
      if (String(url).endsWith('a')) throw new TypeError('fetch failed');
      return new Response('b');
    };
    const real = recordTraffic(file, { fetch: send });
    await failure(real('http://x.example/a'));
    await (await real('http://x.example/b')).text();
    expect(read().interactions.map(({ request: { uri } }) => uri)).toEqual(['http://x.example/b']);
  });

  it('leave no field in clear that is named like a credential', async () => {
    const secret =
      'authorization_token authToken x-api-key client_secret clientSecret GITHUB_TOKEN dbPassword apikey ' +
      'openAIApiKey webhook-secret accesstoken token key aws_secret_access_key passphrase signing_key';
    const plain =
      'max_tokens maxTokens prompt_tokens total_tokens monkey keyboard keys prompt_cache_key nextPageToken ' +
      'primaryKey secretary tokenizer key_id';
    const fields = (names: string, value?: string) =>
      Object.fromEntries(names.split(' ').map((name) => [name, value ?? `<${name}>`]));
    const servers = [{ type: 'url', ...fields(`${secret} ${plain}`) }];
    const answer = `data: ${JSON.stringify(fields('authorization_token max_tokens'))}\n\n`;
    const real = recordTraffic(file, { fetch: async () => new Response(answer) });
    const init = { method: 'POST', body: JSON.stringify({ mcp_servers: servers }) };
    await (await real('http://x.example/', init)).text();
    const [{ request: sent, response }] = read().interactions;
    const expected = { ...fields(secret, '[redacted]'), ...fields(plain) };
    expect(sent.body).toEqual({ mcp_servers: [{ type: 'url', ...expected }] });
    expect(response.body).toBe(
      'data: {"authorization_token":"[redacted]","max_tokens":"<max_tokens>"}\n\n',
    );
  });

  it('give the answer all the same if the file can no longer be written, and no further one', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    const { url, requests } = await server();
    const real = model(recordTraffic(file), url, KEY);
    rmSync(join(folder, 'deep'), { recursive: true });
    writeFileSync(join(folder, 'deep'), 'A file, and no folder.');
    expect((await real.generate(request, {})).finishReason).toBe('stop');
    expect(error.mock.calls).toEqual([[expect.stringContaining('recordTraffic() cannot write')]]);
    error.mockRestore();
    const { message } = await failure(real.generate(request, {}));
    expect(message).toMatch(
      /^openai:m was not asked, as its `fetch` failed: recordTraffic\(\) cannot/,
    );
    expect(requests).toHaveLength(1);
  });

  it('send a Request, and a body that can be read once', async () => {
    const { url, requests } = await startServer((response) => sendJson(response, 200, {}));
    const real = recordTraffic(file);
    const body = JSON.stringify({ n: 1 });
    await (await real(new Request(url, { method: 'POST', body }))).text();
    const init = { method: 'POST', body: new Blob([body]).stream(), duplex: 'half' } as RequestInit;
    await (await real(url, init)).text();
    expect(requests.map((received) => received.body)).toEqual([{ n: 1 }, { n: 1 }]);
    expect(read().interactions.map((each) => each.request.body)).toEqual([{ n: 1 }, { n: 1 }]);
  });
});

describe('recordTraffic()', () => {
  it.each<[string, unknown[]]>([
    ['recordTraffic() needs the path of a file', []],
    ['it was given an empty text', ['']],
    ['it was given an object', [{ fetch }]],
    ['has no option `secret` (did you mean `secrets`?)', ['x.json', { secret: [] }]],
    [
      '`secrets` of recordTraffic() must be a list of texts, not a text.',
      ['x.json', { secrets: 'x' }],
    ],
    [
      '`headers` of recordTraffic() must be a list of texts, not a list.',
      ['x.json', { headers: [5] }],
    ],
    ['`fetch` of recordTraffic() must be a function, not a text.', ['x.json', { fetch: 'x' }]],
  ])('refuses at once what is of no use: %s', (text, given) => {
    const make = () => (recordTraffic as (...args: unknown[]) => typeof fetch)(...given);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(text);
    expect(existsSync('x.json')).toBe(false);
  });

  it('refuses at once a file that cannot be written', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => recordTraffic(join(folder, 'file', 'traffic.json'))).toThrow(
      `recordTraffic() cannot write ${join(folder, 'file', 'traffic.json')}: `,
    );
    expect(() => recordTraffic(folder)).toThrow('it is a folder.');
    recordTraffic(file);
    expect(readdirSync(join(file, '..'))).toEqual([]);
  });
});

describe('replayTraffic()', () => {
  const body = { model: 'm', user: 'u-1', messages: [{ id: 1, content: 'Hello' }] };

  function write(bodies: readonly unknown[]): void {
    file = join(folder, 'traffic.json');
    const interactions = bodies.map((each, index) => ({
      request: { method: 'POST', uri: 'http://x.example/v1/chat', headers: {}, body: each },
      response: { status: 200, headers: {}, body: `answer ${index}` },
    }));
    writeFileSync(file, JSON.stringify({ interactions }));
  }

  async function ask(send: typeof fetch, sent: unknown, path = '/v1/chat'): Promise<string> {
    const init = { method: 'POST', body: JSON.stringify(sent), headers: { 'x-api-key': KEY } };
    return (await send(`http://y.example:88${path}`, init)).text();
  }

  it('uses each recording once, in order', async () => {
    write([body, { ...body, user: 'u-2' }, body]);
    const send = replayTraffic(file);
    expect(await ask(send, body)).toBe('answer 0');
    expect(await ask(send, body)).toBe('answer 2');
    await expect(ask(send, body)).rejects.toThrow('user: recorded "u-2", sent "u-1"');
    expect(await ask(send, { ...body, user: 'u-2' })).toBe('answer 1');
    await expect(ask(send, body)).rejects.toThrow('all 3 of it were used');
  });

  it('says what differs, without secrets, and is not asked again', async () => {
    write([body]);
    const send = replayTraffic(file);
    const changed = { ...body, messages: [{ id: 1, content: `Bye ${KEY}` }], extra: 1 };
    const { message } = await failure(ask(send, changed));
    expect(message).toContain('POST /v1/chat');
    expect(message).toContain('messages.0.content: recorded "Hello", sent "Bye [redacted]"');
    expect(message).toContain('extra: recorded nothing, sent 1');
    expect(message).not.toContain(KEY);
    await expect(ask(send, body, '/v2')).rejects.toThrow('path: recorded "/v1/chat", sent "/v2"');
    let retries = 0;
    const retried = openai({
      model: 'network',
      apiKey: 'k',
      baseURL: 'http://y.example',
      fetch: send,
    });
    const error = await failure(retried.generate(request, { onRetry: () => retries++ }));
    expect(error.message).toMatch(
      /^openai:network was not asked, as its `fetch` failed: .* has no recording for POST \/chat\/completions/,
    );
    expect(retries).toBe(0);
  });

  it('ignores fields that may differ', async () => {
    write([body]);
    const changed = { user: 'u-9', model: 'm', messages: [{ content: 'Hello', id: 7 }] };
    const ignore = ['user', 'messages.*.id'];
    expect(await ask(replayTraffic(file, { ignore }), changed)).toBe('answer 0');
    await expect(ask(replayTraffic(file, { ignore: ['user'] }), changed)).rejects.toThrow(
      'messages.0.id: recorded 1, sent 7',
    );
  });

  it('says which of the fields that may differ there are not', async () => {
    write([body]);
    const ignore = ['usr', 'messages.*.id', 'messages.*.ids', 'messages.0.content.text'];
    const send = replayTraffic(file, { ignore });
    await expect(ask(send, { ...body, user: 'u-9' })).rejects.toThrow(
      'user: recorded "u-1", sent "u-9". Record it again, or list what may differ in `ignore`. Of `ignore`, ' +
        '`usr`, `messages.*.ids`, `messages.0.content.text` are in no request.',
    );
    const fitting = replayTraffic(file, { ignore: ['messages.*.id'] });
    await expect(ask(fitting, { ...body, user: 'u-9' })).rejects.toThrow(/in `ignore`\.$/);
  });

  it('is not confused by a key that is a word of the text', async () => {
    write([{ text: 'The secret is out.' }]);
    const init = {
      method: 'POST',
      body: '{"text":"The secret is out."}',
      headers: { authorization: 'Bearer secret' },
    };
    const answer = await replayTraffic(file)('http://y.example/v1/chat', init);
    expect(await answer.text()).toBe('answer 0');
  });

  it('ends with the signal', async () => {
    write([body]);
    const controller = new AbortController();
    const { signal } = controller;
    const answer = await replayTraffic(file, { chunkSize: 1 })('http://y.example/v1/chat', {
      method: 'POST',
      body: JSON.stringify(body),
      signal,
    });
    const reader = readerOf(answer);
    await reader.read();
    controller.abort(new Error('Enough.'));
    await expect(reader.read()).rejects.toThrow('Enough.');
  });

  it('refuses files and options that are of no use', () => {
    expect(() => replayTraffic(join(folder, 'none.json'))).toThrow('There is no recording at');
    file = join(folder, 'broken.json');
    for (const [text, message] of [
      ['{', 'it is no JSON'],
      ['[]', 'it has no list'],
      ['1', 'it is no object'],
      ['{"interactions":[{}]}', 'interaction 0 has not the form'],
    ]) {
      writeFileSync(file, text);
      expect(() => replayTraffic(file)).toThrow(message);
    }
    write([]);
    expect(() => replayTraffic(file, { chunkSize: 0 })).toThrow('`chunkSize`, not 0');
    expect(() => replayTraffic(file, { ignores: [] } as object)).toThrow(
      'replayTraffic() has no option `ignores` (did you mean `ignore`?). There are: `ignore`, `chunkSize`.',
    );
    expect(() => replayTraffic(file, { ignore: 'user' as never })).toThrow(
      '`ignore` of replayTraffic() must be a list of texts, not a text.',
    );
    expect(() => replayTraffic(undefined as never)).toThrow('needs the path of a file');
  });
});
