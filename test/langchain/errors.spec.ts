import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { ChatModelException } from 'nestjs-agent-tools';
import { fromLangChain, type LangChainOptions } from 'nestjs-agent-tools/langchain';
import { collect, failure, sendJson, startEvents, startServer } from '../models/test-server.js';
import { ASK } from './support/ask.js';
import { chatOpenAI, sendChunk, sendCompletion } from './support/chat-completions.js';
import { FakeChat } from './support/fake-chat.model.js';

const KEY = 'sk-test-1234567890abcdef';

async function answered(
  status: number,
  error: object,
  headers: Record<string, string> = {},
): Promise<{ readonly exceptions: ChatModelException[]; readonly count: number }> {
  const { url, requests } = await startServer((response) =>
    sendJson(response, status, { error }, headers),
  );
  const model = fromLangChain(chatOpenAI(url), { retry: { delay: 1 } });
  const exceptions = [
    await failure<ChatModelException>(model.generate(ASK, {})),
    await failure<ChatModelException>(collect(model.stream(ASK, {}))),
  ];
  return { exceptions, count: requests.length };
}

/** How an error thrown by some provider's package comes out. */
async function thrown(error: unknown, options?: LangChainOptions): Promise<ChatModelException> {
  const fake = new FakeChat();
  fake.hook = () => Promise.reject(error);
  return failure<ChatModelException>(fromLangChain(fake, options).generate(ASK, {}));
}

describe('errors of LangChain models', () => {
  it('say what a 400 was, and are not repeated', async () => {
    const body = { message: 'Bad tool_calls here', type: 'invalid_request_error', code: 'bad' };
    const { exceptions, count } = await answered(400, body, { 'x-request-id': 'req_1' });
    expect(count).toBe(2);
    for (const exception of exceptions) {
      expect(exception).toBeInstanceOf(ChatModelException);
      expect(exception).toMatchObject({
        provider: 'openai',
        status: 400,
        code: 'bad',
        requestId: 'req_1',
        retryable: false,
      });
      expect(JSON.parse(exception.body ?? '')).toEqual(body);
      expect(exception.message).toBe(
        'openai:gpt-4o-mini answered HTTP 400 (bad): Bad tool_calls here.',
      );
    }
  });

  it('are repeated after a 429, if that is asked for', async () => {
    const { url, requests } = await startServer((response, attempt) =>
      attempt === 1
        ? sendJson(response, 429, { error: { message: 'Slow down' } }, { 'retry-after-ms': '2' })
        : sendCompletion(response, { content: 'ok' }),
    );
    const model = fromLangChain(chatOpenAI(url), { retry: { delay: 1 } });
    const retries: unknown[] = [];
    const answer = await model.generate(ASK, {
      onRetry: ({ error }) => retries.push(error.retryAfter),
    });
    expect(answer.content).toMatchObject([{ text: 'ok' }]);
    expect([requests.length, retries]).toEqual([2, [2]]);
  });

  it('are not repeated by this package if that is not asked for', async () => {
    const { url, requests } = await startServer((response) =>
      sendJson(response, 500, { error: { message: 'oops' } }),
    );
    const error = await failure(fromLangChain(chatOpenAI(url)).generate(ASK, {}));
    expect(error).toMatchObject({ status: 500, retryable: true });
    expect(requests).toHaveLength(1);
  });

  it('are not repeated once a quota is used up', async () => {
    const { exceptions, count } = await answered(429, {
      message: 'No money',
      code: 'insufficient_quota',
    });
    expect(count).toBe(2);
    expect(exceptions[0]).toMatchObject({ code: 'insufficient_quota', retryable: false });
  });

  it('hold no key', async () => {
    const { exceptions } = await answered(401, { message: `Incorrect API key: ${KEY}` });
    for (const exception of exceptions) {
      expect(exception.message).toContain('Check the API key');
      expect(inspect(exception, { depth: 10 })).not.toContain(KEY);
    }
    class Keyed extends FakeChat {
      readonly apiKey = 'very-own-secret';
    }
    const keyed = new Keyed();
    keyed.hook = () =>
      Promise.reject(
        Object.assign(new Error('very-own-secret'), { config: { a: 'very-own-secret' } }),
      );
    const error = await failure(fromLangChain(keyed).generate(ASK, {}));
    expect(inspect(error, { depth: 10 })).not.toContain('very-own-secret');
  });

  it('may be repeated if the server cannot be reached, or breaks off', async () => {
    const down = fromLangChain(chatOpenAI('http://127.0.0.1:1'));
    expect(await failure(down.generate(ASK, {}))).toMatchObject({ retryable: true });
    const { url } = await startServer((response) => {
      startEvents(response);
      sendChunk(response, { role: 'assistant', content: 'One' });
      setImmediate(() => response.destroy());
    });
    const broken = fromLangChain(chatOpenAI(url));
    const error = await failure(collect(broken.stream(ASK, {})));
    expect(error).toBeInstanceOf(ChatModelException);
    expect(error).toMatchObject({ retryable: true });
  });

  it.each<[string, unknown, object]>([
    [
      'axios',
      {
        response: {
          status: 503,
          data: { error: { type: 'overloaded' } },
          headers: { 'retry-after': '2' },
        },
      },
      { status: 503, code: 'overloaded', retryable: true, retryAfter: 2_000 },
    ],
    [
      'Google',
      { status: 429, errorDetails: [{ a: 1 }, { retryDelay: '34.4s' }] },
      { retryAfter: 34_400 },
    ],
    [
      'Anthropic',
      {
        status: 529,
        error: { type: 'error', error: { type: 'overloaded_error', message: 'busy' } },
      },
      {
        code: 'overloaded_error',
        retryable: true,
        message: 'fake:one answered HTTP 529 (overloaded_error): busy.',
      },
    ],
    ['AWS', { $metadata: { httpStatusCode: 400 } }, { status: 400, retryable: false }],
    ['Ollama', { status_code: 404 }, { status: 404, retryable: false }],
    [
      'a cause',
      { cause: { status: 409, request_id: 'r' } },
      { status: 409, retryable: true, requestId: 'r' },
    ],
    [
      'LangChain',
      { lc_error_code: 'MODEL_NOT_FOUND' },
      { code: 'MODEL_NOT_FOUND', retryable: false },
    ],
    ['a mistake', {}, { status: undefined, retryable: false }],
  ])('are read as those of %s', async (_of, fields, expected) => {
    const error = Object.assign(new TypeError('x is no function'), fields);
    expect(await thrown(error)).toMatchObject(expected);
  });

  it('may be no errors at all', async () => {
    expect((await thrown('just text')).message).toContain('just text');
  });
});
