import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatModelException, ChatStreamAssembler, type ChatRequest } from 'nestjs-agent-tools';
import { openai, type OpenAIOptions } from 'nestjs-agent-tools/openai';
import { collect, failure, sendJson, startEvents, startServer } from '../models/test-server.js';

const REQUEST: ChatRequest = { messages: [{ role: 'user', content: 'Hi' }] };
const ANSWER = { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] };
const EVENTS = [
  '{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}',
  '{"choices":[{"index":0,"delta":{"content":"Hel"}}]}',
  '{"choices":[{"index":0,"delta":{"content":"lo"}}]}',
  '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
  '{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}',
  '[DONE]',
];

/** A model whose `fetch` notes what it is asked and gives the answer. */
function recorded(options: Partial<OpenAIOptions>) {
  const sent: { url: string; headers: Headers }[] = [];
  const model = openai({
    model: 'm',
    ...options,
    fetch: async (url, init) => {
      const to = url instanceof Request ? url.url : String(url);
      sent.push({ url: to, headers: new Headers(init?.headers) });
      return Response.json(ANSWER);
    },
  });
  return { model, sent };
}

async function send(options: Partial<OpenAIOptions>) {
  const { model, sent } = recorded(options);
  await model.generate(REQUEST, {});
  const [request] = sent;
  if (!request) throw new Error('Nothing was sent.');
  return request;
}

describe('openai()', () => {
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: url } = process.env;

  beforeEach(() => {
    delete process.env.OPENAI_API_KEY;
    delete process.env.OPENAI_BASE_URL;
  });

  afterEach(() => {
    Object.assign(process.env, key && { OPENAI_API_KEY: key }, url && { OPENAI_BASE_URL: url });
  });

  it('is named after its model', () => {
    expect(openai({ model: 'gpt-5-mini' }).name).toBe('openai:gpt-5-mini');
  });

  describe('sends its key', () => {
    it('to OpenAI', async () => {
      const { url: to, headers } = await send({ apiKey: 'sk-1' });
      expect(to).toBe('https://api.openai.com/v1/chat/completions');
      expect(headers.get('authorization')).toBe('Bearer sk-1');
    });

    it('from the environment as it is at the time of the request', async () => {
      const { model, sent } = recorded({});
      process.env.OPENAI_API_KEY = 'sk-late\n';
      process.env.OPENAI_BASE_URL = 'http://localhost:1/v1/';
      await model.generate(REQUEST, {});
      expect(sent[0]?.url).toBe('http://localhost:1/v1/chat/completions');
      expect(sent[0]?.headers.get('authorization')).toBe('Bearer sk-late');
    });

    it('unless there is none, which another server may allow', async () => {
      expect((await send({ baseURL: 'http://x' })).headers.get('authorization')).toBeNull();
      process.env.OPENAI_API_KEY = 'sk-env';
      process.env.OPENAI_BASE_URL = 'http://x';
      const { headers } = await send({ baseURL: 'http://x', apiKey: '' });
      expect(headers.get('authorization')).toBeNull();
    });

    it('but never the key of the environment to another server that the code names', async () => {
      process.env.OPENAI_API_KEY = 'sk-env';
      expect((await send({ baseURL: 'http://x' })).headers.get('authorization')).toBeNull();
      const { headers } = await send({ baseURL: 'https://eu.api.openai.com/v1' });
      expect(headers.get('authorization')).toBe('Bearer sk-env');
    });

    it('or says what to set', async () => {
      const error = await failure(openai({ model: 'm' }).generate(REQUEST, {}));
      expect(error).toBeInstanceOf(ChatModelException);
      expect(error.message).toContain('OPENAI_API_KEY');
      expect(error.message).toContain('apiKey');
      const streamed = await failure(collect(openai({ model: 'm' }).stream(REQUEST, {})));
      expect(streamed.message).toBe(error.message);
    });

    it('or leaves it to the headers', async () => {
      const { headers } = await send({ headers: { Authorization: 'Custom x' } });
      expect(headers.get('authorization')).toBe('Custom x');
      const azure = await send({ apiKey: 'sk-1', headers: { 'api-key': 'k' } });
      expect(azure.headers.get('authorization')).toBeNull();
    });
  });

  it.each([
    ['http://x/v1', 'http://x/v1/chat/completions'],
    ['http://x/v1/', 'http://x/v1/chat/completions'],
    ['http://x', 'http://x/chat/completions'],
    ['http://x/v1/chat/completions', 'http://x/v1/chat/completions'],
    ['https://a.b/openai?api-version=1', 'https://a.b/openai/chat/completions?api-version=1'],
  ])('sends requests for the base URL %s to %s', async (baseURL, to) => {
    expect((await send({ baseURL })).url).toBe(to);
  });

  it.each(['localhost/v1', 'localhost:11434/v1', 'ftp://localhost/v1'])(
    'refuses the base URL %s, when it is made and in a request',
    async (baseURL) => {
      expect(() => openai({ model: 'm', baseURL })).toThrow(`cannot use the base URL "${baseURL}"`);
      const { model } = recorded({ baseURL: 'http://x' });
      const error = await failure(model.generate({ ...REQUEST, settings: { baseURL } }));
      expect(error).toBeInstanceOf(ChatModelException);
      expect(error.message).toContain(`cannot use the base URL "${baseURL}"`);
    },
  );

  it('asks for headers before each request', async () => {
    let count = 0;
    const headers = async () => ({ 'x-token': `t${++count}` });
    const { model, sent } = recorded({ baseURL: 'http://x', headers });
    await model.generate(REQUEST, {});
    await model.generate(REQUEST, {});
    expect(sent.map((request) => request.headers.get('x-token'))).toEqual(['t1', 't2']);
  });

  it('names headers that cannot be had', async () => {
    const cause = new Error('no token');
    const { model } = recorded({ baseURL: 'http://x', headers: () => Promise.reject(cause) });
    const error = await failure(model.generate(REQUEST, {}));
    expect(error).toBeInstanceOf(ChatModelException);
    expect(error).toMatchObject({ cause, message: expect.stringContaining('headers') });
  });

  it('generates an answer', async () => {
    const server = await startServer((response) => sendJson(response, 200, ANSWER));
    const model = openai({ model: 'm', baseURL: server.url, body: { seed: 1 } });
    expect(await model.generate(REQUEST, {})).toEqual({
      content: [{ type: 'text', text: 'Hello' }],
      finishReason: 'stop',
    });
    expect(server.requests[0]?.body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      seed: 1,
    });
  });

  it('streams an answer', async () => {
    const server = await startServer((response) => {
      startEvents(response);
      for (const event of EVENTS) response.write(`data: ${event}\n\n`);
      response.end();
    });
    const model = openai({ model: 'm', baseURL: server.url });
    expect(await collect(model.stream(REQUEST, {}))).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } },
      { type: 'finish', reason: 'stop' },
    ]);
    expect(server.requests[0]?.body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('leaves out what a server does not know', async () => {
    const server = await startServer((response) => sendJson(response, 200, ANSWER));
    const body = { stream_options: undefined };
    await collect(openai({ model: 'm', baseURL: server.url, body }).stream(REQUEST, {}));
    expect(server.requests[0]?.body).not.toHaveProperty('stream_options');
  });

  it('names itself, the status and the text of the server in errors', async () => {
    const server = await startServer((response) =>
      sendJson(response, 404, { error: { message: 'No model `m`.', code: 'model_not_found' } }),
    );
    const model = openai({ model: 'm', baseURL: server.url });
    for (const run of [model.generate(REQUEST, {}), collect(model.stream(REQUEST, {}))]) {
      const error = await failure(run);
      expect(error).toMatchObject({ status: 404, code: 'model_not_found' });
      expect(error.message).toMatch(
        /^openai:m answered HTTP 404 \(model_not_found\): No model `m`\./,
      );
    }
  });

  it('repeats a request as often as it may', async () => {
    const server = await startServer((response) => sendJson(response, 500, {}));
    const model = openai({ model: 'm', baseURL: server.url, retry: { maxRetries: 1, delay: 4 } });
    await failure(model.generate(REQUEST, {}));
    expect(server.requests).toHaveLength(2);
  });

  it('hands its time limits on', async () => {
    const server = await startServer(() => {});
    const model = openai({
      model: 'm',
      baseURL: server.url,
      timeouts: { firstChunk: 20 },
      retry: { maxRetries: 0 },
    });
    expect(await failure(model.generate(REQUEST, {}))).toMatchObject({
      cause: { name: 'TimeoutError' },
    });
  });

  it('throws at an error amid a stream, after the pieces before it', async () => {
    const server = await startServer((response) => {
      startEvents(response);
      response.write(`data: ${EVENTS[1]}\n\n`);
      response.end('data: {"error":{"message":"Token limit reached","code":400},"choices":[]}\n\n');
    });
    const assembler = new ChatStreamAssembler();
    const error = await failure<ChatModelException>(
      (async () => {
        const model = openai({ model: 'm', baseURL: server.url });
        for await (const delta of model.stream(REQUEST, {})) assembler.push(delta);
      })(),
    );
    expect(error).toMatchObject({ status: 400, code: '400' });
    expect(error.message).toContain('Token limit reached');
    expect(assembler.partial()).toEqual([{ type: 'text', text: 'Hel' }]);
  });

  it('closes its connection when the consumer leaves or aborts', async () => {
    const server = await startServer((response) => {
      startEvents(response);
      response.write(`data: ${EVENTS[1]}\n\n`);
    });
    const model = openai({ model: 'm', baseURL: server.url });
    const controller = new AbortController();
    const { signal } = controller;
    for await (const delta of model.stream(REQUEST, { signal })) {
      expect(delta).toEqual({ type: 'text', text: 'Hel' });
      break;
    }
    await server.requests[0]?.closed;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);

    const reason = new Error('enough');
    const error = await failure(
      (async () => {
        for await (const _ of model.stream(REQUEST, { signal })) controller.abort(reason);
      })(),
    );
    expect(error).toBe(reason);
    await server.requests[1]?.closed;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('decodes chunks in linear time', async () => {
    const time = async (count: number): Promise<number> => {
      const events = `data: ${EVENTS[1]}\n\n`.repeat(count) + `data: ${EVENTS[3]}\n\n`;
      const model = openai({
        model: 'm',
        baseURL: 'http://x',
        fetch: async () => new Response(events),
      });
      const start = performance.now();
      await collect(model.stream(REQUEST, {}));
      return performance.now() - start;
    };
    await time(20_000);
    const small = await time(5_000);
    // Quadratic work would take 100 times as long.
    expect(await time(50_000)).toBeLessThan(35 * Math.max(small, 5));
  });
});
