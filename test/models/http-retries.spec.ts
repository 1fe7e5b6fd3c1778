import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { postJson, postSse, type HttpRequestOptions } from 'nestjs-agent-tools';
import { collect, failure, pause, sendJson, startEvents, startServer } from './test-server.js';

const OPTIONS: HttpRequestOptions = { label: 'test:model', retryDelay: 4 };

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** Fails once with the headers and the body, then succeeds. */
async function waitAfter(headers: Record<string, string>, body: unknown = {}): Promise<number> {
  const { url } = await startServer((response, attempt) =>
    attempt === 1 ? sendJson(response, 429, body, headers) : sendJson(response, 200, {}),
  );
  return timed(() => postJson(url, {}, OPTIONS));
}

describe('a request', () => {
  it.each([408, 409, 429, 500, 502, 503, 529])('is repeated after status %i', async (status) => {
    const { url, requests } = await startServer((response, attempt) =>
      sendJson(response, attempt < 3 ? status : 200, { attempt }),
    );
    expect(await postJson(url, { n: 1 }, OPTIONS)).toEqual({ attempt: 3 });
    expect(requests.map(({ body }) => body)).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }]);
  });

  it.each([400, 401, 403, 404, 413, 422])('is not repeated after status %i', async (status) => {
    const { url, requests } = await startServer((response) => sendJson(response, status, {}));
    await expect(postJson(url, {}, OPTIONS)).rejects.toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  it('is repeated twice at most, unless told otherwise', async () => {
    const { url, requests } = await startServer((response) => sendJson(response, 500, {}));
    await expect(postJson(url, {}, OPTIONS)).rejects.toMatchObject({ status: 500 });
    expect(requests).toHaveLength(3);
    await expect(postJson(url, {}, { ...OPTIONS, maxRetries: 0 })).rejects.toMatchObject({
      status: 500,
    });
    expect(requests).toHaveLength(4);
    await expect(postJson(url, {}, { ...OPTIONS, maxRetries: 4 })).rejects.toMatchObject({
      status: 500,
    });
    expect(requests).toHaveLength(9);
  });

  it('is repeated when the connection is closed before an answer', async () => {
    const { url, requests } = await startServer((response, attempt) => {
      if (attempt < 3) response.destroy();
      else sendJson(response, 200, { attempt });
    });
    expect(await postJson(url, {}, OPTIONS)).toEqual({ attempt: 3 });
    expect(requests).toHaveLength(3);
  });

  it('is repeated when a stream breaks off before its first byte', async () => {
    const { url } = await startServer(async (response, attempt) => {
      startEvents(response);
      if (attempt > 1) return void response.end('data: 1\n\n');
      await pause(5);
      response.destroy();
    });
    expect(await collect(postSse(url, {}, OPTIONS))).toEqual(['1']);
  });

  it('is not repeated when a stream breaks off after its first event', async () => {
    const { url, requests } = await startServer(async (response) => {
      startEvents(response);
      response.write('data: 1\n\n');
      await pause(10);
      response.destroy();
    });
    const events: string[] = [];
    const error = await failure(
      (async () => {
        for await (const event of postSse(url, {}, OPTIONS)) events.push(event);
      })(),
    );
    expect(error).toMatchObject({ retryable: true, message: expect.stringContaining('broke off') });
    expect(events).toEqual(['1']);
    expect(requests).toHaveLength(1);
  });

  it('is not repeated when it can never be sent', async () => {
    let attempts = 0;
    const options: HttpRequestOptions = {
      ...OPTIONS,
      fetch: (...request) => {
        attempts++;
        return fetch(...request);
      },
    };
    await expect(postJson('not a url', {}, options)).rejects.toMatchObject({ retryable: false });
    expect(attempts).toBe(1);
  });

  it('waits longer with each repetition', async () => {
    let last = performance.now();
    const waits: number[] = [];
    const { url } = await startServer((response) => {
      waits.push(performance.now() - last);
      last = performance.now();
      sendJson(response, 500, {});
    });
    await failure(postJson(url, {}, { ...OPTIONS, retryDelay: 40, maxRetries: 2 }));
    expect(waits[1]).toBeGreaterThanOrEqual(28);
    expect(waits[2]).toBeGreaterThanOrEqual(58);
  });

  describe('waits as long as the server asks for', () => {
    it('in milliseconds', async () => {
      const wait = await waitAfter({ 'retry-after-ms': '60', 'retry-after': '50' });
      expect(wait).toBeGreaterThanOrEqual(58);
      expect(wait).toBeLessThan(1_000);
    });

    it('in seconds', async () => {
      expect(await waitAfter({ 'retry-after': '0.06' })).toBeGreaterThanOrEqual(58);
    });

    it('as a date', async () => {
      // A date has whole seconds: this one is 1 to 2 seconds ahead.
      const date = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 1_000);
      const left = date.getTime() - Date.now();
      const wait = await waitAfter({ 'retry-after': date.toUTCString() });
      expect(wait).toBeGreaterThanOrEqual(left - 60);
    });

    it('as a date that has passed', async () => {
      expect(await waitAfter({ 'retry-after': new Date(0).toUTCString() })).toBeLessThan(500);
    });

    it('in the details of an error of Google', async () => {
      const details = [{ '@type': 'Help' }, { '@type': 'RetryInfo', retryDelay: '0.06s' }];
      const body = { error: { code: 429, message: 'Quota', details } };
      expect(await waitAfter({}, body)).toBeGreaterThanOrEqual(58);
      expect(await waitAfter({}, [body])).toBeGreaterThanOrEqual(58);
    });

    it('and not at all for what is no time', async () => {
      expect(await waitAfter({ 'retry-after': 'soon' })).toBeLessThan(500);
    });

    it('but gives up at once if that is more than a minute', async () => {
      const { url, requests } = await startServer((response) =>
        sendJson(response, 429, {}, { 'retry-after': '61' }),
      );
      await expect(postJson(url, {}, OPTIONS)).rejects.toMatchObject({ retryAfter: 61_000 });
      expect(requests).toHaveLength(1);
    });
  });

  it('stops waiting at once on an abort', async () => {
    const controller = new AbortController();
    const { url, requests } = await startServer((response) =>
      sendJson(response, 429, {}, { 'retry-after': '30' }),
    );
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 40);
    const options = { ...OPTIONS, signal: controller.signal };
    const elapsed = await timed(async () => {
      expect(await failure(postJson(url, {}, options))).toBe(reason);
    });
    expect(elapsed).toBeLessThan(1_000);
    expect(requests).toHaveLength(1);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });
});
