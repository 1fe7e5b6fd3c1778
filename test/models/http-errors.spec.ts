import { describe, expect, it } from '@jest/globals';
import { ChatModelException } from 'nestjs-agent-tools';
import { postJson, postSse, type PostOptions } from './post.js';
import { collect, failure, sendJson, startServer } from './test-server.js';

const KEY = 'sk-live-0123456789abcdef';
const OPTIONS: PostOptions = {
  headers: { authorization: `Bearer ${KEY}` },
};

async function fail(status: number, body: unknown, headers = {}): Promise<ChatModelException> {
  const { url } = await startServer((response) => sendJson(response, status, body, headers));
  return failure<ChatModelException>(postJson(url, {}, OPTIONS));
}

async function failWithText(status: number, text: string, type: string) {
  const { url } = await startServer((response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(text);
  });
  return failure<ChatModelException>(postJson(url, {}, OPTIONS));
}

describe('postJson', () => {
  it('sends JSON and resolves to the JSON of the answer', async () => {
    const { url, requests } = await startServer((response) => sendJson(response, 200, { ok: 1 }));
    expect(await postJson(`${url}/v1/chat`, { n: 1 }, OPTIONS)).toEqual({ ok: 1 });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      url: '/v1/chat',
      body: { n: 1 },
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${KEY}`,
      },
    });
  });

  describe('reads an error', () => {
    it('of OpenAI', async () => {
      const error = await fail(404, {
        error: { message: 'No model `x`.', type: 'invalid_request_error', code: 'model_not_found' },
      });
      expect(error).toBeInstanceOf(ChatModelException);
      expect(error).toMatchObject({
        status: 404,
        code: 'model_not_found',
        retryable: false,
        message: expect.stringMatching(
          /^test:model answered HTTP 404 \(model_not_found\): No model `x`\. It was asked at http:\/\/\S+: check the name of the model and the base URL\.$/,
        ),
      });
    });

    it.each([
      [{ error: 'model "x" not found' }, 'model "x" not found', undefined],
      [{ message: 'Bad input', type: 'BadRequestError' }, 'Bad input', 'BadRequestError'],
      [{ statusCode: 400, message: 'No', error: 'Bad Request' }, 'No', undefined],
      [{ detail: 'Not allowed' }, 'Not allowed', undefined],
      [
        { detail: [{ loc: ['body', 'messages'], msg: 'Field required' }] },
        'body.messages: Field required',
        undefined,
      ],
      [{ error: { message: 'Slow down', type: 'rate' } }, 'Slow down', 'rate'],
      [[{ error: { code: 400, message: 'Bad', status: 'INVALID' } }], 'Bad', 'INVALID'],
      [
        { error: { code: 429, message: 'Provider returned error', metadata: { raw: 'full' } } },
        'Provider returned error: full',
        '429',
      ],
      [{ error: { reason: 'odd' } }, '{"reason":"odd"}', undefined],
    ])('in the form %j', async (body, text, code) => {
      const error = await fail(400, body);
      expect(error.message).toContain(text);
      expect(error.code).toBe(code);
    });

    it('in plain text, cut off at a length', async () => {
      const error = await failWithText(500, `upstream ${'x'.repeat(5_000)}`, 'text/plain');
      expect(error.message).toContain('upstream xxx');
      expect(error.message.length).toBeLessThan(1_200);
    });

    it('of a proxy without dumping its page', async () => {
      const page = `<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><p>${'x'.repeat(999)}`;
      const error = await failWithText(502, page, 'text/html');
      expect(error.message).toBe(
        'test:model answered HTTP 502: an HTML page with the title "502 Bad Gateway".',
      );
      expect(error).toMatchObject({ status: 502, retryable: true });
    });

    it('without a body', async () => {
      expect((await failWithText(503, '', 'text/plain')).message).toBe(
        'test:model answered HTTP 503.',
      );
    });

    it('of an endless body no further than is useful', async () => {
      const { url, requests } = await startServer((response) => {
        response.writeHead(400, { 'content-type': 'text/plain' });
        const write = (): void => {
          while (!response.destroyed && response.write('y'.repeat(16_384)));
        };
        response.on('drain', write);
        write();
      });
      expect(await failure(postJson(url, {}, OPTIONS))).toMatchObject({ status: 400 });
      await requests[0]?.closed;
    });

    it('that came with status 200', async () => {
      const error = await fail(200, { error: { message: 'Upstream is down', code: 502 } });
      expect(error).toMatchObject({ status: 502, retryable: true });
      expect(error.message).toContain('sent an error in its answer (502): Upstream is down.');
    });
  });

  it.each([
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [408, true],
    [409, true],
    [422, false],
    [429, true],
    [500, true],
    [503, true],
  ])('says whether a request with status %i may succeed later', async (status, retryable) => {
    expect(await fail(status, { error: { message: 'x' } })).toMatchObject({ status, retryable });
  });

  it.each([
    ['text/html', '<html><title>Log in</title></html>', 'an HTML page with the title "Log in"'],
    ['text/plain', 'OK', 'OK'],
    ['application/json', '', 'nothing'],
    ['application/json', '{"a":', '{"a":'],
  ])('refuses a %s answer %j', async (type, text, found) => {
    const error = await failWithText(200, text, type);
    expect(error.message).toContain(`answered with something other than JSON: ${found}`);
    expect(error.message).toMatch(/Check the base URL\.$/);
  });

  it('refuses an answer that is too large', async () => {
    const piece = new Uint8Array(1024 * 1024).fill(32);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent++;
        controller.enqueue(piece);
      },
    });
    const options = { ...OPTIONS, fetch: async () => new Response(body) };
    const error = await failure(postJson('http://x', {}, options));
    expect(error.message).toContain('more than 33554432 bytes');
    expect(sent).toBeLessThan(40);
  });

  describe('keeps credentials out of its errors', () => {
    it('when a server repeats them', async () => {
      const error = await fail(401, {
        error: { message: `Incorrect API key: ${KEY}, sent as Bearer ${KEY}.`, code: KEY },
      });
      expect(JSON.stringify([error, error.message, error.stack])).not.toContain(KEY);
      expect(error.message).toContain('[redacted]');
      expect(error.message).toContain('Check the API key');
    });

    it('when a server masks them', async () => {
      const { message } = await fail(401, { error: { message: 'Bad key sk-live-****cdef.' } });
      expect(message).not.toContain('cdef');
    });

    it('when they are in another header', async () => {
      const { url } = await startServer((response) =>
        sendJson(response, 403, { message: 'No access for hunter2-hunter2' }),
      );
      const options = { ...OPTIONS, headers: { 'x-api-key': 'hunter2-hunter2' } };
      expect((await failure(postJson(url, {}, options))).message).not.toContain('hunter2');
    });

    it('when the address holds them', async () => {
      const url = 'http://127.0.0.1:1/v1?key=very-secret-value';
      const error = await failure(postJson(url, {}, OPTIONS));
      expect(error.message).toContain('http://127.0.0.1:1/v1');
      expect(error.message).not.toContain('very-secret-value');
    });

    it('when a header cannot be sent', async () => {
      const headers = { authorization: 'Bearer abcdef\nghijkl' };
      const error = await failure(postJson('http://127.0.0.1:1', {}, { ...OPTIONS, headers }));
      expect(error).toBeInstanceOf(ChatModelException);
      expect(error.message).toContain('"authorization"');
      expect(error.message).not.toContain('abcdef');
      expect(error.cause).toBeUndefined();
    });

    it('when the reason of a failure holds them', async () => {
      const options = {
        ...OPTIONS,
        fetch: () => Promise.reject(new TypeError(`fetch failed for ${KEY}`)),
      };
      const error = await failure(postJson('http://x', {}, options));
      expect(error.message).toContain('[redacted]');
      expect(String(error.cause)).not.toContain(KEY);
    });
  });

  it('names the address and the reason when a server cannot be reached', async () => {
    const error = await failure(postJson('http://127.0.0.1:1/v1?x=1', {}, OPTIONS));
    expect(error).toMatchObject({ retryable: true });
    expect(error.message).toMatch(
      /^test:model cannot be reached at http:\/\/127\.0\.0\.1:1\/v1: fetch failed \(.+\)\. Check/,
    );
  });
});

describe('postSse', () => {
  it('reads an error like postJson', async () => {
    const { url } = await startServer((response) =>
      sendJson(response, 429, { error: { message: 'Slow down', code: 'rate_limit' } }),
    );
    const error = await failure(collect(postSse(url, {}, OPTIONS)));
    expect(error).toMatchObject({ status: 429, code: 'rate_limit', retryable: true });
  });

  it('refuses a page of a proxy', async () => {
    const { url } = await startServer((response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html><title>Log in</title></html>');
    });
    expect((await failure(collect(postSse(url, {}, OPTIONS)))).message).toContain(
      'other than an event stream: an HTML page with the title "Log in"',
    );
  });

  it('takes one JSON text for one event', async () => {
    const { url } = await startServer((response) => sendJson(response, 200, { a: 1 }));
    expect(await collect(postSse(url, {}, OPTIONS))).toEqual(['{"a":1}']);
  });

  it('throws an error that came as JSON with status 200', async () => {
    const { url } = await startServer((response) => sendJson(response, 200, { error: 'busy' }));
    expect((await failure(collect(postSse(url, {}, OPTIONS)))).message).toContain('busy');
  });
});
