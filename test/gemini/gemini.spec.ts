import { runInThisContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GoogleGenAI } from '@google/genai';
import { ChatModelException, type ChatRequest } from 'nestjs-agent-tools';
import { gemini, type GeminiOptions, type VertexOptions } from 'nestjs-agent-tools/gemini';
import { collect, failure, sendJson, startEvents, startServer } from '../models/test-server.js';

const REQUEST: ChatRequest = { messages: [{ role: 'user', content: 'Hi' }] };
const ANSWER = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
};
const VARIABLES = ['GEMINI_API_KEY', 'GOOGLE_API_KEY'] as const;

/** A model whose `fetch` notes what it is asked and gives the answer. */
function recorded(options: Partial<GeminiOptions>) {
  const sent: { url: string; headers: Headers; body: string }[] = [];
  const model = gemini({
    model: 'gemini-2.5-flash',
    ...options,
    fetch: async (url, init) => {
      const to = url instanceof Request ? url.url : String(url);
      sent.push({ url: to, headers: new Headers(init?.headers), body: String(init?.body) });
      return Response.json(ANSWER);
    },
  });
  return { model, sent };
}

async function send(options: Partial<GeminiOptions>, request = REQUEST) {
  const { model, sent } = recorded(options);
  await model.generate(request, {});
  const [first] = sent;
  if (!first) throw new Error('Nothing was sent.');
  return first;
}

const urls = async (options: Partial<GeminiOptions>) => {
  const { model, sent } = recorded({ apiKey: options.vertex ? undefined : 'k', ...options });
  await model.generate(REQUEST, {});
  await collect(model.stream(REQUEST, {}));
  return sent.map(({ url }) => url);
};

let kept: (string | undefined)[];

beforeEach(() => {
  kept = VARIABLES.map((name) => process.env[name]);
  for (const name of VARIABLES) delete process.env[name];
});

afterEach(() => {
  VARIABLES.forEach((name, index) => {
    if (kept[index] === undefined) delete process.env[name];
    else process.env[name] = kept[index];
  });
});

describe('gemini()', () => {
  it('is named after its model', () => {
    expect(gemini({ model: 'gemini-2.5-flash' }).name).toBe('gemini:gemini-2.5-flash');
  });

  it.each([
    ['gemini-2.5-flash', 'models/gemini-2.5-flash'],
    ['models/gemini-2.5-flash', 'models/gemini-2.5-flash'],
    ['tunedModels/x-1', 'tunedModels/x-1'],
    ['a b/c?d#e%2e', 'models/a%20b/c%3Fd%23e%252e'],
  ])('asks the model %s at its address', async (model, path) => {
    const base = 'https://generativelanguage.googleapis.com/v1beta';
    expect(await urls({ model })).toEqual([
      `${base}/${path}:generateContent`,
      `${base}/${path}:streamGenerateContent?alt=sse`,
    ]);
  });

  it('asks another server under its base URL', async () => {
    expect(await urls({ baseURL: 'http://x/proxy/v1/?a=b' })).toEqual([
      'http://x/proxy/v1/models/gemini-2.5-flash:generateContent?a=b',
      'http://x/proxy/v1/models/gemini-2.5-flash:streamGenerateContent?a=b&alt=sse',
    ]);
  });

  it.each(['../../x', 'models/', 'models/..', '.'])('refuses the model %j', (model) => {
    expect(() => gemini({ model })).toThrow(ChatModelException);
  });

  it('refuses to be without a model', () => {
    expect(() => gemini({ model: '' })).toThrow(/needs the name of a model/);
  });

  it('refuses settings that it lacks, or that contradict each other, when it is made', () => {
    expect(() => gemini({ model: 'm', parallelToolCalls: false })).toThrow(/`parallelToolCalls`/);
    expect(() => gemini({ model: 'm', reasoningBudget: 1, reasoningEffort: 'low' })).toThrow(
      /say the same/,
    );
    expect(() => gemini({ model: 'gemini-2.5-pro', reasoningEffort: 'much' })).toThrow(/"much"/);
  });

  it('refuses them in a request, too', async () => {
    const { model, sent } = recorded({ apiKey: 'k', reasoningBudget: 1 });
    const settings = { reasoningEffort: 'low' };
    const error = await failure(model.generate({ ...REQUEST, settings }, {}));
    expect(error).toBeInstanceOf(ChatModelException);
    expect(sent).toEqual([]);
  });

  describe('sends its key', () => {
    it('in a header, and never in the address', async () => {
      const { url, headers } = await send({ apiKey: 'AIza-1' });
      expect(headers.get('x-goog-api-key')).toBe('AIza-1');
      expect(headers.get('authorization')).toBeNull();
      expect(url).not.toContain('AIza');
    });

    it('from the environment, the own variable first', async () => {
      process.env.GOOGLE_API_KEY = 'k-google';
      expect((await send({})).headers.get('x-goog-api-key')).toBe('k-google');
      process.env.GEMINI_API_KEY = 'k-gemini';
      expect((await send({})).headers.get('x-goog-api-key')).toBe('k-gemini');
      const { headers } = await send({ baseURL: 'http://x' });
      expect(headers.get('x-goog-api-key')).toBeNull();
    });

    it('or says what to set', async () => {
      const { model } = recorded({});
      const { message } = await failure(model.generate(REQUEST, {}));
      expect(message).toMatch(/^gemini:gemini-2\.5-flash has no API key\./);
      expect(message).toContain('GEMINI_API_KEY or GOOGLE_API_KEY');
      expect(message).toContain('`apiKey` to gemini({ … })');
      expect((await failure(collect(model.stream(REQUEST, {})))).message).toBe(message);
    });
  });

  it('waits as long as the server asks for, and asks again (89)', async () => {
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.Help' },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.005s' },
    ];
    const server = await startServer((response, attempt) =>
      attempt === 1
        ? sendJson(response, 429, {
            error: { code: 429, message: 'Too many.', status: 'RESOURCE_EXHAUSTED', details },
          })
        : sendJson(response, 200, ANSWER),
    );
    const model = gemini({ model: 'm', baseURL: server.url, retry: { delay: 1 } });
    const retries: unknown[] = [];
    await model.generate(REQUEST, { onRetry: ({ error }) => retries.push(error) });
    expect(retries).toMatchObject([{ status: 429, code: 'RESOURCE_EXHAUSTED', retryAfter: 5 }]);
    expect(server.requests).toHaveLength(2);
  });

  it('names itself and the text of the server in errors, whole or within a stream', async () => {
    const body = { error: { code: 404, message: 'No model m.', status: 'NOT_FOUND' } };
    const server = await startServer((response, attempt) => {
      if (attempt < 3) return sendJson(response, 404, attempt === 1 ? body : [body]);
      startEvents(response);
      response.write(`data: ${JSON.stringify(ANSWER)}\r\n\r\n`);
      response.end(`data: ${JSON.stringify(body)}\r\n\r\n`);
      return undefined;
    });
    const model = gemini({ model: 'm', baseURL: server.url });
    for (const run of [
      () => model.generate(REQUEST, {}),
      () => collect(model.stream(REQUEST, {})),
      () => collect(model.stream(REQUEST, {})),
    ]) {
      const error = await failure(run());
      expect(error).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      expect(error.message).toMatch(/^gemini:m .*\(NOT_FOUND\): No model m\./);
    }
  });
});

describe('gemini({ vertex })', () => {
  const vertex: VertexOptions = { project: 'p-1', location: 'us-central1', token: () => 't' };
  const PATH = 'v1/projects/p-1/locations';
  const MODEL = 'publishers/google/models/gemini-2.5-flash';

  it.each([
    ['us-central1', 'us-central1-aiplatform.googleapis.com'],
    ['global', 'aiplatform.googleapis.com'],
    ['eu', 'aiplatform.eu.rep.googleapis.com'],
  ])('asks the server of the location %s', async (location, host) => {
    const base = `https://${host}/${PATH}/${location}/${MODEL}`;
    expect(await urls({ vertex: { ...vertex, location } })).toEqual([
      `${base}:generateContent`,
      `${base}:streamGenerateContent?alt=sse`,
    ]);
  });

  it.each([
    ['models/gemini-2.5-flash', MODEL],
    ['publishers/google/models/gemini-2.5-flash', MODEL],
    ['endpoints/42', 'endpoints/42'],
  ])('asks the model %s', async (model, path) => {
    const [url] = await urls({ vertex, model });
    expect(url).toContain(`/locations/us-central1/${path}:generateContent`);
  });

  it('asks for a token before each request, and sends no key', async () => {
    process.env.GEMINI_API_KEY = 'k-gemini';
    let count = 0;
    const token = async () => `t${++count}`;
    const { model, sent } = recorded({ vertex: { ...vertex, token } });
    expect(model.name).toBe('vertex:gemini-2.5-flash');
    expect(count).toBe(0);
    await model.generate(REQUEST, {});
    await collect(model.stream(REQUEST, {}));
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer t1',
      'Bearer t2',
    ]);
    expect(sent[0]?.headers.get('x-goog-api-key')).toBeNull();
  });

  it('asks for another token when it repeats a request', async () => {
    const server = await startServer((response, attempt) =>
      sendJson(response, attempt === 1 ? 503 : 200, attempt === 1 ? {} : ANSWER),
    );
    let count = 0;
    const model = gemini({
      model: 'm',
      baseURL: `${server.url}/v1`,
      vertex: { ...vertex, token: () => `t${++count}` },
      retry: { delay: 1 },
    });
    await model.generate(REQUEST, {});
    expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      [`/${PATH}/us-central1/publishers/google/models/m:generateContent`, 'Bearer t1'],
      [`/${PATH}/us-central1/publishers/google/models/m:generateContent`, 'Bearer t2'],
    ]);
  });

  it('sends ids of calls to v1beta1 only', async () => {
    const messages: ChatRequest['messages'] = [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', id: 'a', name: 'f', arguments: '{}' }],
      },
    ];
    expect((await send({ vertex }, { messages })).body).not.toContain('"id"');
    const baseURL = 'https://us-central1-aiplatform.googleapis.com/v1beta1';
    expect((await send({ vertex, baseURL }, { messages })).body).toContain('"id":"a"');
  });

  it('takes a token that does not change', async () => {
    const { headers } = await send({ vertex: { ...vertex, token: 't0' } });
    expect(headers.get('authorization')).toBe('Bearer t0');
  });

  it('names a token that cannot be had, or is empty', async () => {
    const cause = new Error('no account');
    const broken = recorded({ vertex: { ...vertex, token: () => Promise.reject(cause) } });
    expect(await failure(broken.model.generate(REQUEST, {}))).toMatchObject({
      cause,
      message: 'The function `token` of gemini({ vertex: { token } }) failed; see the cause.',
    });
    const empty = recorded({ vertex: { ...vertex, token: () => ' ' } });
    expect(await failure(empty.model.generate(REQUEST, {}))).toMatchObject({
      name: 'ChatModelException',
      message: expect.stringContaining('gave no access token'),
    });
    expect([...broken.sent, ...empty.sent]).toEqual([]);
  });

  it.each<[string, Partial<VertexOptions>, RegExp]>([
    ['a token', { token: undefined }, /needs an access token, or a function `token`/],
    ['a token of its own', { token: ' ' }, /needs an access token, or a function `token`/],
    ['a project', { project: '' }, /needs a project and a location/],
    ['a location', { location: undefined }, /needs a project and a location/],
    ['a location that is one', { location: 'x.evil.com/' }, /needs a project and a location/],
  ])('cannot be made without %s', (_what, more, message) => {
    const given = { ...vertex, ...more } as VertexOptions;
    expect(() => gemini({ model: 'm', vertex: given })).toThrow(message);
  });

  it('takes no key', () => {
    expect(() => gemini({ model: 'm', vertex, apiKey: 'k' })).toThrow(/takes no `apiKey`/);
  });
});

describe('a server that the official client understands', () => {
  const parts = [
    { text: 'Hm', thought: true },
    { text: 'I look.' },
    {
      functionCall: { id: 'c1', name: 'find', args: { city: 'Zürich' } },
      thoughtSignature: 'cw==',
    },
  ];
  const usageMetadata = {
    promptTokenCount: 5,
    candidatesTokenCount: 3,
    thoughtsTokenCount: 2,
    totalTokenCount: 10,
  };
  const start = () =>
    startServer((response, attempt) => {
      if (attempt % 2 === 1) {
        const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP' }];
        return sendJson(response, 200, { candidates, usageMetadata });
      }
      startEvents(response);
      parts.forEach((part, index) => {
        const isLast = index === parts.length - 1;
        const candidate = {
          content: { role: 'model', parts: [part] },
          ...(isLast && { finishReason: 'STOP' }),
        };
        const event = { candidates: [candidate], ...(isLast && { usageMetadata }) };
        response.write(`data: ${JSON.stringify(event)}\r\n\r\n`);
      });
      response.end();
      return undefined;
    });

  /** The client looks for Node's own dispatcher, which Jest keeps out of the globals of a test. */
  const lendDispatcher = (): void => {
    const key = Symbol.for('undici.globalDispatcher.1');
    const outer = runInThisContext('globalThis') as Record<symbol, unknown>;
    (globalThis as Record<symbol, unknown>)[key] ??= outer[key];
  };

  it('gives this library the same, at the same addresses', async () => {
    lendDispatcher();
    const server = await start();
    const client = new GoogleGenAI({
      apiKey: 'k',
      vertexai: false,
      httpOptions: { baseUrl: server.url, apiVersion: 'v1beta' },
    });
    const question = { model: 'gemini-3-flash', contents: 'Hi' };
    const whole = await client.models.generateContent(question);
    const pieces = await collect(await client.models.generateContentStream(question));
    for (const official of [[whole], pieces]) {
      const received = official.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
      expect(received).toEqual(parts);
      expect(official.at(-1)?.usageMetadata).toEqual(usageMetadata);
    }

    const model = gemini({ model: 'gemini-3-flash', baseURL: `${server.url}/v1beta`, apiKey: 'k' });
    const expected = [
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'I look.' },
      {
        type: 'tool-call',
        id: 'c1',
        name: 'find',
        arguments: '{"city":"Zürich"}',
        providerMetadata: { gemini: { thoughtSignature: 'cw==' } },
      },
    ];
    const usage = { inputTokens: 5, outputTokens: 5, totalTokens: 10, reasoningTokens: 2 };
    expect(await model.generate(REQUEST, {})).toEqual({
      content: expected,
      finishReason: 'stop',
      usage,
    });
    expect(await collect(model.stream(REQUEST, {}))).toEqual([
      ...expected.slice(0, 2),
      { ...expected[2], index: 0 },
      { type: 'usage', usage },
      { type: 'finish', reason: 'stop' },
    ]);

    const sent = server.requests.map(({ url, headers, body }) => [
      url,
      headers['x-goog-api-key'],
      body.contents,
    ]);
    expect(sent.slice(2)).toEqual(sent.slice(0, 2));
  });
});
