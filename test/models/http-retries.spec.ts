import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { ask, jsonModel, listen } from './json-model.js';
import { failure, pause, sendJson, startEvents, startServer } from './test-server.js';

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
  return timed(() => ask(jsonModel(url)));
}

describe('a request', () => {
  it.each([408, 409, 429, 500, 502, 503, 529])('is repeated after status %i', async (status) => {
    const { url, requests } = await startServer((response, attempt) =>
      sendJson(response, attempt < 3 ? status : 200, { attempt }),
    );
    expect(await ask(jsonModel(url))).toEqual({ attempt: 3 });
    expect(requests.map(({ body }) => body)).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }]);
  });

  it.each([400, 401, 403, 404, 413, 422])('is not repeated after status %i', async (status) => {
    const { url, requests } = await startServer((response) => sendJson(response, status, {}));
    await expect(ask(jsonModel(url))).rejects.toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  it('is repeated twice at most, unless told otherwise', async () => {
    const { url, requests } = await startServer((response) => sendJson(response, 500, {}));
    await expect(ask(jsonModel(url))).rejects.toMatchObject({ status: 500 });
    expect(requests).toHaveLength(3);
    await expect(ask(jsonModel(url, { retry: { delay: 4, maxRetries: 0 } }))).rejects.toMatchObject(
      {
        status: 500,
      },
    );
    expect(requests).toHaveLength(4);
    await expect(ask(jsonModel(url, { retry: { delay: 4, maxRetries: 4 } }))).rejects.toMatchObject(
      {
        status: 500,
      },
    );
    expect(requests).toHaveLength(9);
  });

  it('is repeated when the connection is closed before an answer', async () => {
    const { url, requests } = await startServer((response, attempt) => {
      if (attempt < 3) response.destroy();
      else sendJson(response, 200, { attempt });
    });
    expect(await ask(jsonModel(url))).toEqual({ attempt: 3 });
    expect(requests).toHaveLength(3);
  });

  it('is repeated when a stream breaks off before its first byte', async () => {
    const { url } = await startServer(async (response, attempt) => {
      startEvents(response);
      if (attempt > 1) return void response.end('data: 1\n\n');
      await pause(5);
      response.destroy();
    });
    expect(await listen(jsonModel(url))).toEqual(['1']);
  });

  it('is not repeated when a stream breaks off after its first event', async () => {
    const { url, requests } = await startServer(async (response) => {
      startEvents(response);
      response.write('data: 1\n\n');
      await pause(10);
      response.destroy();
    });
    const events: string[] = [];
    const error = await failure(listen(jsonModel(url), events));
    expect(error).toMatchObject({ retryable: true, message: expect.stringContaining('broke off') });
    expect(events).toEqual(['1']);
    expect(requests).toHaveLength(1);
  });

  it('is not repeated when it can never be sent', async () => {
    let attempts = 0;
    const model = jsonModel('http://127.0.0.1:1', {
      fetch: () => {
        attempts++;
        return fetch('not a url');
      },
    });
    await expect(ask(model)).rejects.toMatchObject({ retryable: false });
    expect(attempts).toBe(1);
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
      await expect(ask(jsonModel(url))).rejects.toMatchObject({ retryAfter: 61_000 });
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
    const elapsed = await timed(async () => {
      expect(await failure(ask(jsonModel(url), controller.signal))).toBe(reason);
    });
    expect(elapsed).toBeLessThan(1_000);
    expect(requests).toHaveLength(1);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });
});
