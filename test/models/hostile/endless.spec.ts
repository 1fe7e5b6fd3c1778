import { gzipSync } from 'node:zlib';
import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import {
  ChatStreamAssembler,
  fallback,
  limit,
  withMiddleware,
  type ChatModel,
} from 'nestjs-agent-tools';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai, type OpenAIOptions } from 'nestjs-agent-tools/openai';
import { collect, failure, pause, startEvents, startServer } from '../test-server.js';

const retry = { maxRetries: 0 };
const ask = { messages: [{ role: 'user' as const, content: 'x' }] };
const make = (baseURL: string, more: Partial<OpenAIOptions> = {}) =>
  openai({ model: 'm', apiKey: 'k', retry, baseURL, ...more });
function limited<T>(work: Promise<T>, time = 5_000): Promise<T | 'hangs'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve('hangs'), time);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

async function drip(text: string, status = 200) {
  return startServer((response) => {
    response.writeHead(status, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write(text), 10);
    response.on('close', () => clearInterval(timer));
  });
}

describe('a request ends', () => {
  it.each([
    ': comment\n\n',
    'data: {"choices":[{"delta":{"content":"a"}}]}\n\n',
    'data: a',
    '\n',
    'data: {"choices":[]}\n\n',
  ])('if the server drips %j for ever', async (text) => {
    const { url } = await drip(text);
    const error = await failure(
      limited(collect(make(url, { timeouts: { request: 300 } }).stream(ask, {}))),
    );
    expect(error.name).toBe('ModelRequestTimeoutException');
  });

  it('if the server drips an error for ever', async () => {
    const { url } = await drip('x', 500);
    const error = await failure(
      limited(make(url, { timeouts: { request: 300 } }).generate(ask, {})),
    );
    expect(error.name).toBe('ModelRequestTimeoutException');
  });

  it('if the server redirects for ever', async () => {
    const { url } = await startServer((response) => {
      response.writeHead(307, { location: '/again' });
      response.end();
    });
    expect((await failure(limited(make(url).generate(ask, {})))).name).toBe('ChatModelException');
  });

  it.each([
    ['stream', 'text/event-stream'],
    ['generate', 'application/json'],
  ])('at a line of 100 MB: %s', async (how, type) => {
    const { url } = await startServer(async (response) => {
      response.writeHead(200, { 'content-type': type });
      const piece = `data: ${'x'.repeat(1024 * 1024)}`;
      response.on('error', () => {});
      for (let at = 0; at < 100 && !response.destroyed; at++) {
        response.write(piece);
        await pause(0);
      }
      response.end();
    });
    const model = make(url);
    const error = await failure(
      limited<unknown>(
        how === 'stream' ? collect(model.stream(ask, {})) : model.generate(ask, {}),
        20_000,
      ),
    );
    expect(error.message).toMatch(/bytes in one piece/);
  });

  it('at a gzip bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 32));
    const { url } = await startServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(bomb);
    });
    expect((await failure(limited(make(url).generate(ask, {}), 20_000))).message).toMatch(
      /bytes in one piece/,
    );
  });

  it('if a port is refused', async () => {
    expect((await failure(limited(make('http://127.0.0.1:1/v1').generate(ask, {})))).name).toBe(
      'ChatModelException',
    );
  });

  it.each(['apiKey', 'headers'] as const)(
    'at an abort while the function %s is asked',
    async (name) => {
      const controller = new AbortController();
      const model = make('http://127.0.0.1:1/v1', { [name]: () => new Promise<never>(() => {}) });
      const work = model.generate(ask, { signal: controller.signal });
      setTimeout(() => controller.abort(new Error('left')), 20);
      expect(
        await limited(
          work.then(
            () => 'answered',
            (error: Error) => error.message,
          ),
          500,
        ),
      ).toBe('left');
    },
  );

  it.each(['apiKey', 'headers'] as const)(
    'at its limit of time while the function %s is asked',
    async (name) => {
      const model = make('http://127.0.0.1:1/v1', {
        [name]: () => new Promise<never>(() => {}),
        timeouts: { request: 50 },
      });
      const work = model.generate(ask, {});
      expect(
        await limited(
          work.then(
            () => 'answered',
            (error: Error) => error.name,
          ),
          500,
        ),
      ).toBe('ModelRequestTimeoutException');
    },
  );
});

describe('an answer that is complete is given though its connection stays open', () => {
  const chunk = 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n';
  it.each<[string, (url: string) => ChatModel, string]>([
    ['with [DONE]', (url) => make(url), `${chunk}data: [DONE]\n\n`],
    ['without [DONE]', (url) => make(url, { timeouts: { betweenChunks: 200 } }), chunk],
    [
      'of Gemini',
      (url) =>
        gemini({
          model: 'gemini-2.5-flash',
          apiKey: 'k',
          retry,
          baseURL: url,
          timeouts: { betweenChunks: 200 },
        }),
      'data: {"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}\n\n',
    ],
  ])('%s', async (_, create, text) => {
    const { url } = await startServer((response) => {
      startEvents(response);
      response.write(text);
    });
    const assembler = new ChatStreamAssembler();
    for await (const delta of create(url).stream(ask, {})) assembler.push(delta);
    expect(assembler.finish().finishReason).toBe('stop');
  });
});

describe('nothing is left', () => {
  it('on a shared signal, whatever happened', async () => {
    const { signal } = new AbortController();
    const { url } = await startServer((response, attempt) => {
      if (attempt % 3 === 0) {
        response.destroy();
        return;
      }
      startEvents(response);
      response.write('data: {"choices":[{"delta":{"content":"a"}}]}\n\n');
      if (attempt % 3 === 1)
        response.end('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    });
    const inner = make(url, {
      retry: { maxRetries: 1, delay: 1 },
      timeouts: { betweenChunks: 30 },
    });
    const model = withMiddleware(fallback([inner, inner]), limit({ concurrency: 1 }));
    for (let run = 0; run < 12; run++) {
      try {
        for await (const delta of model.stream(ask, { signal }))
          if (run % 4 === 0 && delta.type === 'text') break;
      } catch {
        /* Some fail. */
      }
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    // The one place of the limit is free.
    const controller = new AbortController();
    const { url: good } = await startServer((response) => {
      startEvents(response);
      response.end(
        'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      );
    });
    const quota = limit({ concurrency: 1 });
    const other = withMiddleware(make(good), quota);
    const stuck = withMiddleware(make(url), quota);
    for (let run = 0; run < 5; run++) {
      const it = stuck.stream(ask, {})[Symbol.asyncIterator]();
      await it.next().catch(() => {});
      await it.return?.();
    }
    expect(await limited(collect(other.stream(ask, { signal: controller.signal })))).not.toBe(
      'hangs',
    );
  });
});
