/** Servers that keep a connection alive with comments. */
import { describe, expect, it } from '@jest/globals';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai } from 'nestjs-agent-tools/openai';
import { collect, failure, pause, startEvents, startServer } from '../test-server.js';

const ask = { messages: [{ role: 'user' as const, content: 'x' }] };
const retry = { maxRetries: 0 };
describe('an answer that is whole is given soon', () => {
  it.each([
    [
      'openai',
      (baseURL: string) => openai({ model: 'm', apiKey: 'k', retry, baseURL }),
      { choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }] },
    ],
    [
      'gemini',
      (baseURL: string) => gemini({ model: 'gemini-2.5-flash', apiKey: 'k', retry, baseURL }),
      { candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }] },
    ],
  ] as const)(
    'though the server sends comments for ever: %s',
    async (_n, make, event) => {
      const { url } = await startServer((response) => {
        startEvents(response);
        response.write(`data: ${JSON.stringify(event)}\n\n`);
        const timer = setInterval(() => response.write(': keep-alive\n\n'), 300);
        response.on('close', () => clearInterval(timer));
      });
      const answer = await collect(make(url).stream(ask, {}));
      expect(answer).toContainEqual({ type: 'finish', reason: 'stop' });
    },
    10_000,
  );
});

describe('an answer that has begun', () => {
  const piece = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'a' } }] })}`;
  const last = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}`;

  it.each([
    ['a comment in front', [`: wait\n\n${piece}\n\n`, `: wait\n\n${last}\n\n`]],
    ['the line break of the one before', [piece, `\n\n${piece}`, `\n\n${last}\n\n`]],
  ])('is not taken for one that has not, with %s', async (_, pieces) => {
    const { url } = await startServer(async (response) => {
      startEvents(response);
      for (const text of [...pieces, 'data: [DONE]\n\n']) {
        response.write(text);
        await pause(120);
      }
      response.end();
    });
    const timeouts = { firstChunk: 200, betweenChunks: 5_000 };
    const model = openai({ model: 'm', apiKey: 'k', retry, baseURL: url, timeouts });
    expect(await collect(model.stream(ask, {}))).toContainEqual({ type: 'finish', reason: 'stop' });
  });
});

describe('the limit of the first piece', () => {
  it('is not met by a comment', async () => {
    const { url } = await startServer((response) => {
      startEvents(response);
      const timer = setInterval(() => response.write(': keep-alive\n\n'), 50);
      response.on('close', () => clearInterval(timer));
    });
    const model = openai({
      model: 'm',
      apiKey: 'k',
      retry,
      baseURL: url,
      timeouts: { firstChunk: 300, betweenChunks: 300, request: 2_000 },
    });
    expect((await failure(collect(model.stream(ask, {})))).name).toBe(
      'ModelFirstChunkTimeoutException',
    );
  });
});
