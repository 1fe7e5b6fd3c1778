import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ModelChunkTimeoutException, ModelFirstChunkTimeoutException } from 'nestjs-agent-tools';
import { ModelCall, ModelExceptionFactory, toSafeText } from 'nestjs-agent-tools/model-kit';
import { failure } from './test-server.js';

const KEY = 'very-own-secret';
const exceptions = new ModelExceptionFactory({ label: 'acme:large', secrets: { apiKey: KEY } });
const never = () => new Promise<never>(() => {});

describe('ModelCall', () => {
  it('counts the first piece from its begin, over several waits, and names the whole limit', async () => {
    const call = new ModelCall(exceptions, { timeouts: { firstChunk: 300 } });
    const after = (time: number) => new Promise((resolve) => setTimeout(resolve, time));
    await call.wait(after(200), 'firstChunk');
    const error = await failure(call.wait(after(250), 'firstChunk'));
    call.close(false);
    expect(error).toBeInstanceOf(ModelFirstChunkTimeoutException);
    expect(error).toMatchObject({ milliseconds: 300, provider: 'acme' });
    expect(call.signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('ends at silence between two pieces, and each wait after that', async () => {
    const call = new ModelCall(exceptions, { timeouts: { betweenChunks: 20 } });
    expect(await call.wait(Promise.resolve(1), 'betweenChunks')).toBe(1);
    const error = await failure(call.wait(never(), 'betweenChunks'));
    expect(error).toBeInstanceOf(ModelChunkTimeoutException);
    expect(await failure(call.wait(Promise.reject(new Error('late')), 'betweenChunks'))).toBe(
      error,
    );
    call.close(false);
  });

  it('does not count what came before as silence', async () => {
    const call = new ModelCall(exceptions, { timeouts: { betweenChunks: 200 } });
    const after = (time: number) => new Promise((resolve) => setTimeout(() => resolve(time), time));
    await call.wait(after(260), 'firstChunk');
    expect(await call.wait(after(60), 'betweenChunks')).toBe(60);
    call.close(true);
  });

  it('ends with the reason of its caller, and lets go of the signal', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const call = new ModelCall(exceptions, { signal });
    const waiting = failure(call.wait(never(), 'firstChunk'));
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await waiting).toBe(reason);
    call.close(false);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(() => new ModelCall(exceptions, { signal })).toThrow(reason);
  });

  it.each([true, false])('aborts what is left when it is closed (finished: %j)', (finished) => {
    const call = new ModelCall(exceptions);
    call.close(finished);
    expect(call.signal.aborted).toBe(!finished);
  });
});

describe('ModelExceptionFactory', () => {
  it('tells all that is known of a failure', () => {
    const headers = { 'Retry-After': '2', 'X-Request-Id': 'r1' };
    const failed = { message: 'Slow down', status: 429, code: 'rate_limit', body: '{}', headers };
    expect(exceptions.from(failed)).toMatchObject({
      message: 'acme:large answered HTTP 429 (rate_limit): Slow down. It asks to wait 2 s.',
      provider: 'acme',
      status: 429,
      code: 'rate_limit',
      body: '{}',
      requestId: 'r1',
      retryAfter: 2_000,
      retryable: true,
    });
  });

  it.each([
    [{ status: 400 }, false],
    [{ status: 503 }, true],
    [{ code: 'ThrottlingException' }, true],
    [{ code: 'invalid' }, false],
    [{ cause: new Error('x', { cause: { code: 'ECONNRESET' } }) }, true],
    [{ cause: new TypeError('x is no function') }, false],
    [{ status: 503, retryable: false }, false],
    [{ status: 429 }, true],
    [{ status: 429, code: 'insufficient_quota' }, false],
  ])('says of %j whether it may succeed later', (failed, retryable) => {
    expect(exceptions.from(failed).retryable).toBe(retryable);
  });

  it('keeps credentials out of every field', () => {
    const text = `no ${KEY} and ${Buffer.from(KEY).toString('base64')}`;
    const exception = exceptions.from({
      message: text,
      code: text,
      body: text,
      requestId: text,
      cause: { sent: { apiKey: KEY } },
    });
    const shown = inspect(exception, { depth: 10 });
    expect(shown).toContain('[redacted]');
    expect(shown).not.toContain(KEY);
    expect(shown).not.toContain(Buffer.from(KEY).toString('base64'));
  });

  it('is not kept busy by a hostile text', () => {
    const start = performance.now();
    for (const piece of ['sk-', 'Bearer  ', '//a:', 'key=', 'Basic ' + ' '.repeat(50)]) {
      expect(toSafeText(piece.repeat(50_000)).length).toBeLessThan(1_100);
    }
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});
