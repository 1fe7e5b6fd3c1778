import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  ChatModelException,
  ModelChunkTimeoutException,
  ModelFirstChunkTimeoutException,
  ModelRequestTimeoutException,
  type ChatRequest,
  type ChatRetry,
} from 'nestjs-agent-tools';
import { fromAiSdk, type AiSdkOptions } from 'nestjs-agent-tools/ai-sdk';
import { collect, failure } from '../models/test-server.js';
import { fake, partsOf, textParts, type FakeModel } from './support/fakes.js';

const ASKED: ChatRequest = { messages: [{ role: 'user', content: 'Hi' }] };
const NO_RETRY: AiSdkOptions = { retry: { maxRetries: 0 } };
const KEY = 'sk-very-secret-key-123';

/** As the AI SDK makes it, but for its class. */
function apiCallError(values: object, message = 'Bad request'): Error {
  return Object.assign(new Error(message), {
    name: 'AI_APICallError',
    url: 'https://api.example.com/v1',
    requestBodyValues: { messages: 'the whole conversation' },
    ...values,
  });
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

function failing(error: unknown): FakeModel {
  const fail = () => {
    throw error;
  };
  return fake({ generate: fail, stream: fail });
}

async function exceptionFor(error: unknown, options = NO_RETRY): Promise<ChatModelException> {
  const model = fromAiSdk(failing(error), options);
  const whole = await failure<ChatModelException>(model.generate(ASKED, {}));
  const streamed = await failure<ChatModelException>(collect(model.stream(ASKED, {})));
  expect(streamed).toEqual(whole);
  expect(whole).toBeInstanceOf(ChatModelException);
  return whole;
}

describe('A failed call', () => {
  it('becomes the exception of a chat model', async () => {
    const exception = await exceptionFor(
      apiCallError({
        statusCode: 429,
        isRetryable: true,
        responseHeaders: { 'retry-after': '2', 'x-request-id': 'req_1' },
        responseBody: '{"error":{"message":"Slow down","code":"rate_limit_exceeded"}}',
      }),
    );
    expect(exception).toMatchObject({
      message:
        'acme.messages:m1 answered HTTP 429 (rate_limit_exceeded): Bad request. It asks to wait 2 s.',
      provider: 'acme',
      status: 429,
      code: 'rate_limit_exceeded',
      body: '{"error":{"message":"Slow down","code":"rate_limit_exceeded"}}',
      requestId: 'req_1',
      retryable: true,
      retryAfter: 2_000,
    });
    expect(exception.cause).toBeUndefined();
  });

  it('tells what an answer lacks that is not in the form of its provider', async () => {
    const reason = new Error('[{"path":["choices"],"message":"Required"}]');
    const cause = Object.assign(new Error('Type validation failed', { cause: reason }), {
      name: 'AI_TypeValidationError',
    });
    const exception = await exceptionFor(apiCallError({ statusCode: 200, cause }));
    expect(exception.message).toBe(
      'acme.messages:m1 failed: Bad request: [{"path":["choices"],"message":"Required"}].',
    );
  });

  it.each<[object, number | undefined]>([
    [{ responseHeaders: { 'retry-after-ms': '15' } }, 15],
    [{ responseHeaders: { 'retry-after': new Date(Date.now() - 5_000).toUTCString() } }, 0],
    [{ data: { error: { details: [{ retryDelay: '1.5s' }] } } }, 1_500],
    [{ responseHeaders: { 'retry-after': 'soon' } }, undefined],
  ])('says how long to wait: %j', async (values, expected) => {
    const error = apiCallError({ statusCode: 503, isRetryable: true, ...values });
    expect((await exceptionFor(error)).retryAfter).toBe(expected);
  });

  it.each<[unknown, boolean]>([
    [apiCallError({ statusCode: 400, isRetryable: false }), false],
    [apiCallError({ statusCode: 500 }), true],
    [apiCallError({ isRetryable: true }, 'Cannot connect to API: '), true],
    [named('AI_EmptyResponseBodyError', 'Empty response body'), true],
    [named('AI_JSONParseError', 'JSON parsing failed'), true],
    [named('AI_UnsupportedFunctionalityError', 'no network here'), false],
    [new TypeError('terminated'), true],
    [new TypeError('x is not a function'), false],
    ['a text', false],
    [null, false],
  ])('is one that may succeed later, or not (%#)', async (error, retryable) => {
    expect((await exceptionFor(error)).retryable).toBe(retryable);
  });

  it('ends, whatever is thrown', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    expect((await exceptionFor(circular)).message).toContain('an error without a message');
    const hostile = {
      get message() {
        throw new Error('Not even this');
      },
    };
    const asked = fromAiSdk(failing(hostile), NO_RETRY).generate(ASKED, {});
    await expect(asked).rejects.toThrow('Not even this');
  });

  it('for want of a key says so', async () => {
    const error = named('AI_LoadAPIKeyError', 'OpenAI API key is missing.');
    const exception = await exceptionFor(error);
    expect(exception).toMatchObject({ retryable: false, cause: error });
    expect(exception.message).toMatch(/key is missing\. Give it where the provider is made/);
  });

  it('holds no credential', async () => {
    const options = { ...NO_RETRY, headers: { 'x-api-key': 'plain value 1' } };
    const cause = new Error(`no ${KEY}`);
    const exceptions = [
      await exceptionFor(
        apiCallError({ statusCode: 401, responseBody: `${KEY} plain value 1` }, KEY),
      ),
      await exceptionFor(apiCallError({ cause }, `Cannot connect ${KEY}`), options),
      await exceptionFor(new Error(`with ${KEY} and plain value 1`), options),
    ];
    for (const { message, body, cause: given } of exceptions) {
      expect([message, body, String(given)].join()).not.toContain(KEY);
    }
    expect(exceptions[0]?.message).toContain('Check the API key');
    expect(exceptions[2]?.message).toContain('with [redacted] and [redacted]');
  });

  it('keeps the reason of a network failure, but not the conversation', async () => {
    const cause = new Error('ECONNREFUSED');
    const exception = await exceptionFor(apiCallError({ isRetryable: true, cause }));
    expect(exception.cause).toBe(cause);
  });

  it.each<[unknown, object]>([
    ['Overloaded', { message: expect.stringContaining('Overloaded'), retryable: false }],
    [
      { type: 'overloaded_error', message: 'Busy' },
      { code: 'overloaded_error', retryable: true },
    ],
    [
      { error: { message: 'Bad', code: 'invalid_prompt' } },
      { code: 'invalid_prompt', retryable: false },
    ],
    [
      { message: 'Busy', statusCode: 529, isRetryable: true },
      { status: 529, retryable: true },
    ],
    [apiCallError({ statusCode: 400, isRetryable: false }), { status: 400 }],
  ])('can be told within a stream: %j', async (error, expected) => {
    const stream = () => partsOf([{ type: 'error', error }, ...textParts('Hi')]);
    const streamed = collect(fromAiSdk(fake({ stream }), NO_RETRY).stream(ASKED, {}));
    expect(await failure(streamed)).toMatchObject({ ...expected, provider: 'acme' });
  });

  it('is made again, and the wait that the server asks for is kept', async () => {
    let failures = 0;
    const stream = () => {
      if (failures++ > 0) return partsOf(textParts('Hi'));
      const responseHeaders = { 'retry-after-ms': '30' };
      throw apiCallError({ statusCode: 429, isRetryable: true, responseHeaders });
    };
    const onRetry = jest.fn<(retry: ChatRetry) => void>();
    const model = fromAiSdk(fake({ stream }), { retry: { delay: 1 } });
    expect(await collect(model.stream(ASKED, { onRetry }))).toHaveLength(3);
    expect(onRetry).toHaveBeenCalledTimes(1);
    expect(onRetry.mock.calls[0]?.[0].delay).toBeGreaterThanOrEqual(30);
  });

  it.each([undefined, { content: 'text' }, 'text'])(
    'is one without an answer: %j',
    async (answer) => {
      const model = fromAiSdk(fake({ generate: () => answer }), NO_RETRY);
      await expect(model.generate(ASKED, {})).rejects.toThrow(/something other than an answer/);
    },
  );

  it('is one without a stream', async () => {
    const stream = () => ({}) as ReadableStream;
    const streamed = collect(fromAiSdk(fake({ stream }), NO_RETRY).stream(ASKED, {}));
    await expect(streamed).rejects.toThrow(/something other than a stream/);
  });
});

describe('A timeout', () => {
  const never = () => new Promise<never>(() => {});
  const timeouts = (values: object): AiSdkOptions => ({ ...NO_RETRY, timeouts: values });
  const started = [{ type: 'stream-start', warnings: [] }];
  const begun = textParts('So far').slice(0, 3);

  it('ends a whole answer that does not come, and the call', async () => {
    const model = fake({ generate: never });
    const asked = fromAiSdk(model, timeouts({ firstChunk: 10 })).generate(ASKED, {});
    const error = await failure<ModelFirstChunkTimeoutException>(asked);
    expect(error).toBeInstanceOf(ModelFirstChunkTimeoutException);
    expect(error).toMatchObject({ milliseconds: 10, provider: 'acme', retryable: true });
    expect(model.calls[0]?.abortSignal.aborted).toBe(true);
  });

  it.each([
    ['never begins', never],
    ['only its provider has begun', async () => partsOf(started, { open: true })],
  ])('ends a stream that %s', async (_what, stream) => {
    const adapted = fromAiSdk(fake({ stream }), timeouts({ firstChunk: 10, betweenChunks: 0 }));
    const error = await failure(collect(adapted.stream(ASKED, {})));
    expect(error).toBeInstanceOf(ModelFirstChunkTimeoutException);
  });

  it('ends a stream that falls silent, and cancels it', async () => {
    const model: FakeModel = fake({
      stream: () => partsOf(begun, { open: true, cancelled: model.cancelled }),
    });
    const adapted = fromAiSdk(model, timeouts({ betweenChunks: 10 }));
    const error = await failure(collect(adapted.stream(ASKED, {})));
    expect(error).toBeInstanceOf(ModelChunkTimeoutException);
    expect(model.cancelled).toHaveLength(1);
    expect(model.calls[0]?.abortSignal.aborted).toBe(true);
  });

  it('ends a request that takes too long as a whole', async () => {
    const model = fake({ stream: () => partsOf(begun, { open: true }) });
    const error = await failure(
      collect(fromAiSdk(model, timeouts({ request: 10 })).stream(ASKED, {})),
    );
    expect(error).toBeInstanceOf(ModelRequestTimeoutException);
  });

  it('does not count the time of the consumer', async () => {
    const adapted = fromAiSdk(
      fake({ stream: () => partsOf(textParts('Hi')) }),
      timeouts({ betweenChunks: 10, firstChunk: 10 }),
    );
    const stream = adapted.stream(ASKED, {})[Symbol.asyncIterator]();
    await stream.next();
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect((await stream.next()).value).toMatchObject({ type: 'usage' });
    await stream.return?.();
  });

  it('does not wait for the end of a stream whose answer is complete', async () => {
    const stream = () => partsOf(textParts('Hi'), { open: true });
    const deltas = await collect(fromAiSdk(fake({ stream }), NO_RETRY).stream(ASKED, {}));
    expect(deltas.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });
});

describe('An abort', () => {
  const reason = new Error('No longer of interest');

  it('ends a call, with its own reason, though the provider does not listen', async () => {
    const model = fake({ generate: () => new Promise(() => {}) });
    const controller = new AbortController();
    const asked = fromAiSdk(model).generate(ASKED, { signal: controller.signal });
    controller.abort(reason);
    expect(await failure(asked)).toBe(reason);
    expect(model.calls[0]?.abortSignal.reason).toBe(reason);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('ends a stream and cancels it', async () => {
    const model: FakeModel = fake({
      stream: () =>
        partsOf(textParts('Hi').slice(0, 3), { open: true, cancelled: model.cancelled }),
    });
    const controller = new AbortController();
    const { signal } = controller;
    const stream = fromAiSdk(model).stream(ASKED, { signal })[Symbol.asyncIterator]();
    await stream.next();
    const next = stream.next();
    controller.abort(reason);
    expect(await failure(next)).toBe(reason);
    expect(model.cancelled).toHaveLength(1);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('cancels a stream that opens too late', async () => {
    const cancelled: unknown[] = [];
    let open: (stream: ReadableStream) => void = () => {};
    const model = fake({ stream: () => new Promise((resolve) => (open = resolve)) });
    const controller = new AbortController();
    const streamed = collect(fromAiSdk(model).stream(ASKED, { signal: controller.signal }));
    controller.abort(reason);
    expect(await failure(streamed)).toBe(reason);
    open(partsOf([], { open: true, cancelled }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(cancelled).toHaveLength(1);
  });

  it('before the call keeps it from being made', async () => {
    const model = fake({});
    const signal = AbortSignal.abort(reason);
    expect(await failure(fromAiSdk(model).generate(ASKED, { signal }))).toBe(reason);
    expect(await failure(collect(fromAiSdk(model).stream(ASKED, { signal })))).toBe(reason);
    expect(model.calls).toEqual([]);
  });

  it('is what leaving early means for the provider', async () => {
    const model: FakeModel = fake({
      stream: () => partsOf(textParts('Hi'), { open: true, cancelled: model.cancelled }),
    });
    const controller = new AbortController();
    for await (const _ of fromAiSdk(model).stream(ASKED, { signal: controller.signal })) break;
    expect(model.cancelled).toHaveLength(1);
    expect(model.calls[0]?.abortSignal.aborted).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});

describe('A warning', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn');

  beforeEach(() => {
    warn.mockImplementation(() => {});
  });
  afterEach(() => {
    warn.mockReset();
  });

  it.each<[object, string]>([
    [{ type: 'unsupported-setting', setting: 'seed' }, 'unsupported-setting "seed"'],
    [{ type: 'unsupported-tool', tool: { name: 'f' }, details: 'No.' }, 'unsupported-tool "f" No.'],
    [{ type: 'unsupported', feature: 'topK', details: 'No.' }, 'unsupported "topK" No.'],
    [{ type: 'compatibility', feature: 'topK' }, 'compatibility "topK"'],
    [{ type: 'deprecated', setting: 'a', message: 'Use b.' }, 'deprecated "a" Use b.'],
    [{ type: 'other', message: `Mind ${KEY}.` }, 'Mind [redacted]'],
    [{ future: 1 }, '{"future":1}'],
  ])('of a provider is logged once: %j', async (warning, text) => {
    const parts = [{ type: 'stream-start', warnings: [warning] }, ...textParts('Hi')];
    const answer = { content: [], finishReason: 'stop', warnings: [warning] };
    const model = fromAiSdk(fake({ stream: () => partsOf(parts), generate: () => answer }));
    await model.generate(ASKED, {});
    await model.generate(ASKED, {});
    await collect(model.stream(ASKED, {}));
    expect(warn.mock.calls.map(([message]) => String(message))).toEqual([
      expect.stringContaining(`acme.messages:m1 warns: ${text}`),
    ]);
  });

  it('may be of any form', async () => {
    const warnings = [{ future: 1n }, 'Mind.', null];
    const model = fromAiSdk(
      fake({ generate: () => ({ content: [], finishReason: 'stop', warnings }) }),
    );
    await model.generate(ASKED, {});
    expect(warn.mock.calls.map(([message]) => String(message))).toEqual([
      'acme.messages:m1 warns: { future: 1n }',
      'acme.messages:m1 warns: Mind.',
      'acme.messages:m1 warns: null',
    ]);
  });

  it('tells of an approval that cannot be given', async () => {
    const parts = [{ type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' }];
    const model = fromAiSdk(fake({ stream: () => partsOf([...parts, ...textParts('Hi')]) }));
    await collect(model.stream(ASKED, {}));
    expect(warn.mock.calls.join()).toContain('approval');
  });
});
