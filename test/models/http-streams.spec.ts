import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { ChatModelException } from 'nestjs-agent-tools';
import { postJson, postSse, type PostOptions, type SseEnd } from './post.js';
import { collect, failure, pause, sendJson, startEvents, startServer } from './test-server.js';

const OPTIONS: PostOptions = {};

/** Answers with the pieces of a body, each in a packet of its own. */
async function serve(pieces: readonly string[], end = true) {
  return startServer(async (response) => {
    startEvents(response);
    for (const piece of pieces) {
      response.write(piece);
      await pause(3);
    }
    if (end) response.end();
  });
}

async function readAll(url: string, options = OPTIONS): Promise<{ events: string[]; end: SseEnd }> {
  const stream = postSse(url, {}, options);
  const events: string[] = [];
  for (;;) {
    const next = await stream.next();
    if (next.done) return { events, end: next.value };
    events.push(next.value);
  }
}

describe('a stream of events', () => {
  it('asks for events', async () => {
    const { url, requests } = await serve(['data: 1\n\n']);
    await readAll(url);
    expect(requests[0]?.headers.accept).toBe('text/event-stream');
  });

  it.each([
    ['in one piece', ['data: 1\n\ndata: 2\n\ndata: [DONE]\n\n']],
    ['cut within lines', ['da', 'ta: 1\n', '\nda', 'ta: 2\n\nd', 'ata: [DO', 'NE]\n\n']],
    ['with other line ends', ['data: 1\r\n\r\ndata:2\r\n\r\ndata:[DONE]\r\n\r\n']],
    ['with comments', [': wait\n\n', 'data: 1\n\n: wait\n\ndata: 2\n\n', 'data: [DONE]\n\n']],
    [
      'with other fields',
      ['event: chunk\nid: 7\nretry: 5\ndata: 1\n\nfoo: 1\ndata: 2\n\ndata: [DONE]\n\n'],
    ],
    ['with blank events', ['data: 1\n\ndata:\n\ndata:  \n\ndata: 2\n\ndata: [DONE] \n\n']],
  ])('is read %s', async (_, pieces) => {
    const { url } = await serve(pieces);
    expect(await readAll(url)).toEqual({ events: ['1', '2'], end: 'done' });
  });

  it('is read with characters cut in two', async () => {
    const bytes = Buffer.from('data: "💶 für Zoë"\n\n');
    const { url } = await startServer(async (response) => {
      startEvents(response);
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        await pause(0);
      }
      response.end();
    });
    expect((await readAll(url)).events).toEqual(['"💶 für Zoë"']);
  });

  it('ends at [DONE], whatever follows', async () => {
    const { url } = await serve(['data: 1\n\ndata: [DONE]\n\ndata: 2\n\n']);
    expect(await readAll(url)).toEqual({ events: ['1'], end: 'done' });
  });

  it('says when it was closed without [DONE]', async () => {
    const { url } = await serve(['data: 1\n\n']);
    expect(await readAll(url)).toEqual({ events: ['1'], end: 'closed' });
  });

  it('yields a last event without the line that should follow it', async () => {
    const { url } = await serve(['data: 1\n\ndata: 2']);
    expect((await readAll(url)).events).toEqual(['1', '2']);
  });

  it('leaves its connection for the next request', async () => {
    const ports = new Set<number | undefined>();
    const { url } = await startServer(async (response) => {
      ports.add(response.socket?.remotePort);
      startEvents(response);
      response.write('data: 1\n\ndata: [DONE]\n\n');
      await pause(15);
      response.end();
    });
    for (let n = 0; n < 6; n++) await readAll(url);
    // Node's fetch takes two connections in turn.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('does not wait long for a server that does not close it after [DONE]', async () => {
    const { url, requests } = await serve(['data: 1\n\ndata: [DONE]\n\n'], false);
    const start = performance.now();
    expect((await readAll(url)).end).toBe('done');
    expect(performance.now() - start).toBeLessThan(1_000);
    await requests[0]?.closed;
  });

  it.each([
    [
      'data: {"error":{"message":"Too long","code":"tool_use_failed","status_code":400}}',
      400,
      false,
    ],
    ['data: {"id":"x","error":{"code":429,"message":"Too long"},"choices":[]}', 429, true],
    ['event: error\ndata: {"message":"Too long"}', undefined, false],
    ['event: error\ndata: Too long', undefined, false],
    [
      'data: {"type":"error","error":{"type":"overloaded_error","message":"Too long"}}',
      undefined,
      true,
    ],
    ['data: {"object":"error","message":"Too long","code":400}', 400, false],
  ])('throws for the error %s', async (event, status, retryable) => {
    const { url, requests } = await serve(['data: 1\n\n', `${event}\n\n`, 'data: 2\n\n']);
    const events: string[] = [];
    const error = await failure(
      (async () => {
        for await (const data of postSse(url, {}, OPTIONS)) events.push(data);
      })(),
    );
    expect(error).toBeInstanceOf(ChatModelException);
    expect(error.message).toContain('Too long');
    expect(error).toMatchObject({ retryable });
    expect((error as ChatModelException).status).toBe(status);
    expect(events).toEqual(['1']);
    expect(requests).toHaveLength(1);
  });

  it.each(['{"error":null}', '{"text":"\\"error\\""}', '{"finish_reason":"error"}'])(
    'takes %s for no error',
    async (data) => {
      const { url } = await serve([`data: ${data}\n\n`]);
      expect((await readAll(url)).events).toEqual([data]);
    },
  );
});

describe('a connection that breaks off', () => {
  it('fails a stream after the events that came', async () => {
    const { url } = await startServer(async (response) => {
      startEvents(response);
      response.write('data: 1\n\ndata: {"half":');
      await pause(10);
      response.destroy();
    });
    const stream = postSse(url, {}, OPTIONS);
    expect(await stream.next()).toEqual({ done: false, value: '1' });
    const error = await failure<ChatModelException>(stream.next());
    expect(error).toBeInstanceOf(ChatModelException);
    expect(error).toMatchObject({ retryable: true });
    expect(error.message).toContain('broke off its answer');
    expect(error.cause).toBeDefined();
  });

  it('fails a JSON answer', async () => {
    const { url, requests } = await startServer(async (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"a":');
      await pause(10);
      response.destroy();
    });
    expect(await failure(postJson(url, {}, OPTIONS))).toMatchObject({ retryable: true });
    expect(requests).toHaveLength(1);
  });
});

describe('a time limit', () => {
  /** Fails soon, with what `timeoutOf` describes. */
  async function soon(promise: Promise<unknown>): Promise<Error> {
    const start = performance.now();
    const error = await failure(promise);
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(error).toBeInstanceOf(ChatModelException);
    return error;
  }

  const timeoutOf = (option: string, name: string) => ({
    name,
    message: expect.stringContaining(`\`timeouts.${option}\``),
    retryable: true,
    cause: { name: 'TimeoutError' },
  });

  it('ends a request without an answer', async () => {
    const { url, requests } = await startServer(() => {});
    const options = { ...OPTIONS, timeouts: { connect: 300, firstChunk: 400 } };
    expect(await soon(postJson(url, {}, options))).toMatchObject({
      ...timeoutOf('firstChunk', 'ModelFirstChunkTimeoutException'),
      milliseconds: 400,
    });
    expect(await soon(collect(postSse(url, {}, options)))).toMatchObject({
      ...timeoutOf('connect', 'ModelConnectTimeoutException'),
      milliseconds: 300,
    });
    expect(requests).toHaveLength(2);
    await Promise.all(requests.map(({ closed }) => closed));
  });

  it('ends a stream that opens and stays silent', async () => {
    const { url, requests } = await startServer((response) => startEvents(response));
    const options = { ...OPTIONS, timeouts: { firstChunk: 60 } };
    expect(await soon(collect(postSse(url, {}, options)))).toMatchObject(
      timeoutOf('firstChunk', 'ModelFirstChunkTimeoutException'),
    );
    await requests[0]?.closed;
  });

  it('ends a stream that falls silent', async () => {
    const { url, requests } = await serve(['data: 1\n\n'], false);
    const stream = postSse(url, {}, { ...OPTIONS, timeouts: { betweenChunks: 30 } });
    expect(await stream.next()).toMatchObject({ value: '1' });
    expect(await soon(stream.next())).toMatchObject(
      timeoutOf('betweenChunks', 'ModelChunkTimeoutException'),
    );
    await requests[0]?.closed;
  });

  it('ends a JSON answer that stops', async () => {
    const { url } = await startServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"a":');
    });
    expect(
      await soon(postJson(url, {}, { ...OPTIONS, timeouts: { betweenChunks: 30 } })),
    ).toMatchObject(timeoutOf('betweenChunks', 'ModelChunkTimeoutException'));
  });

  it('does not count the time that the consumer takes', async () => {
    const { url } = await serve(['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']);
    const events: string[] = [];
    for await (const event of postSse(url, {}, { ...OPTIONS, timeouts: { betweenChunks: 40 } })) {
      events.push(event);
      await pause(60);
    }
    expect(events).toEqual(['1', '2', '3']);
  });

  it('is kept alive by comments', async () => {
    const pieces = Array.from({ length: 30 }, () => ': wait\n\n');
    const { url } = await serve([...pieces, 'data: 1\n\n']);
    expect((await readAll(url, { ...OPTIONS, timeouts: { betweenChunks: 60 } })).events).toEqual([
      '1',
    ]);
  });

  it('of 0 is none', async () => {
    const { url } = await startServer(async (response) => {
      await pause(30);
      sendJson(response, 200, { ok: 1 });
    });
    const timeouts = { connect: 0, firstChunk: 0, betweenChunks: 0, request: 0 };
    expect(await postJson(url, {}, { ...OPTIONS, timeouts })).toEqual({ ok: 1 });
  });

  it('ends an answer that never ends, whatever comes', async () => {
    const { url, requests } = await startServer((response) => {
      startEvents(response);
      const timer = setInterval(() => response.write('data: 1\n\n'), 10);
      response.on('close', () => clearInterval(timer));
    });
    const options = { ...OPTIONS, timeouts: { request: 120 } };
    expect(await soon(collect(postSse(url, {}, options)))).toMatchObject(
      timeoutOf('request', 'ModelRequestTimeoutException'),
    );
    await requests[0]?.closed;
  });
});

describe('an abort', () => {
  const reason = new Error('enough');

  it('before the request sends nothing', async () => {
    const { url, requests } = await serve(['data: 1\n\n']);
    const options = { ...OPTIONS, signal: AbortSignal.abort(reason) };
    expect(await failure(postJson(url, {}, options))).toBe(reason);
    expect(await failure(collect(postSse(url, {}, options)))).toBe(reason);
    expect(requests).toHaveLength(0);
  });

  it('while waiting for an answer closes the connection', async () => {
    const controller = new AbortController();
    const { url, requests } = await startServer(() => controller.abort(reason));
    expect(await failure(postJson(url, {}, { ...OPTIONS, signal: controller.signal }))).toBe(
      reason,
    );
    await requests[0]?.closed;
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('amid a stream throws the reason, closes the connection and leaves no listener', async () => {
    const controller = new AbortController();
    const { url, requests } = await serve(['data: 1\n\n'], false);
    const stream = postSse(url, {}, { ...OPTIONS, signal: controller.signal });
    await stream.next();
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    setTimeout(() => controller.abort(reason), 5);
    expect(await failure(stream.next())).toBe(reason);
    await requests[0]?.closed;
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('between two events is seen at the next one', async () => {
    const controller = new AbortController();
    const { url } = await serve(['data: 1\n\n', 'data: 2\n\n'], false);
    const stream = postSse(url, {}, { ...OPTIONS, signal: controller.signal });
    await stream.next();
    controller.abort(reason);
    expect(await failure(stream.next())).toBe(reason);
  });

  it('of a signal with a time limit is told apart from the limits of the request', async () => {
    const { url } = await startServer(() => {});
    const signal = AbortSignal.timeout(20);
    const error = await failure(postJson(url, {}, { ...OPTIONS, signal }));
    expect(error).toBe(signal.reason);
    expect(error).not.toBeInstanceOf(ChatModelException);
  });

  it('is seen even if a replaced fetch does not know of signals', async () => {
    const controller = new AbortController();
    let cancelled = 0;
    const body = (): ReadableStream =>
      new ReadableStream({
        cancel() {
          cancelled++;
        },
      });
    const options: PostOptions = {
      ...OPTIONS,
      signal: controller.signal,
      fetch: async () => new Response(body()),
    };
    setTimeout(() => controller.abort(reason), 5);
    expect(await failure(collect(postSse('http://x', {}, options)))).toBe(reason);
    expect(cancelled).toBe(1);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('cancels an answer of a replaced fetch that comes too late', async () => {
    const controller = new AbortController();
    let cancelled = false;
    const options: PostOptions = {
      ...OPTIONS,
      signal: controller.signal,
      fetch: async () => {
        await pause(20);
        return new Response(new ReadableStream({ cancel: () => void (cancelled = true) }));
      },
    };
    setTimeout(() => controller.abort(reason), 5);
    expect(await failure(postJson('http://x', {}, options))).toBe(reason);
    await pause(30);
    expect(cancelled).toBe(true);
  });
});

describe('leaving early', () => {
  it('closes the connection and leaves no listener', async () => {
    const { signal } = new AbortController();
    const { url, requests } = await serve(['data: 1\n\n', 'data: 2\n\n'], false);
    for await (const event of postSse(url, {}, { ...OPTIONS, signal })) {
      expect(event).toBe('1');
      break;
    }
    await requests[0]?.closed;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('before the first event sends nothing', async () => {
    const { url, requests } = await serve(['data: 1\n\n']);
    await postSse(url, {}, OPTIONS).return('closed');
    expect(requests).toHaveLength(0);
  });

  it('leaves no listener after a hundred requests on one signal', async () => {
    const { signal } = new AbortController();
    const { url } = await startServer((response, attempt) =>
      sendJson(response, attempt % 3 === 0 ? 400 : 200, {}),
    );
    for (let n = 0; n < 100; n++) {
      await postJson(url, {}, { ...OPTIONS, signal }).catch(() => undefined);
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
