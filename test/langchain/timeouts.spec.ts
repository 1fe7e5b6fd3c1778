import { describe, expect, it, jest } from '@jest/globals';
import {
  ModelChunkTimeoutException,
  ModelFirstChunkTimeoutException,
  ModelRequestTimeoutException,
} from 'nestjs-agent-tools';
import { fromLangChain } from 'nestjs-agent-tools/langchain';
import { collect, failure, startEvents, startServer } from '../models/test-server.js';
import { ASK } from './support/ask.js';
import { chatOpenAI, sendChunk } from './support/chat-completions.js';
import { FakeChat } from './support/fake-chat.model.js';

/** A model that never answers, and never listens. */
function deaf(): { fake: FakeChat; signals: AbortSignal[] } {
  const fake = new FakeChat();
  const signals: AbortSignal[] = [];
  fake.hook = (signal) => {
    if (signal) signals.push(signal);
    return new Promise(() => {});
  };
  return { fake, signals };
}

describe('the limits of time of a LangChain model', () => {
  it('hold until the first piece', async () => {
    const { url, requests } = await startServer(() => {});
    const model = fromLangChain(chatOpenAI(url), { timeouts: { firstChunk: 60 } });
    const error = await failure(collect(model.stream(ASK, {})));
    expect(error).toBeInstanceOf(ModelFirstChunkTimeoutException);
    expect(error).toMatchObject({ milliseconds: 60, provider: 'openai', retryable: true });
    await requests[0]?.closed;
    expect(await failure(model.generate(ASK, {}))).toBeInstanceOf(ModelFirstChunkTimeoutException);
  });

  it('hold between two pieces', async () => {
    const { url, requests } = await startServer((response) => {
      startEvents(response);
      sendChunk(response, { role: 'assistant', content: 'One' });
    });
    const model = fromLangChain(chatOpenAI(url), { timeouts: { betweenChunks: 60 } });
    expect(await failure(collect(model.stream(ASK, {})))).toBeInstanceOf(
      ModelChunkTimeoutException,
    );
    expect(requests).toHaveLength(1);
    await requests[0]?.closed;
  });

  it('hold for the whole answer, however many pieces come', async () => {
    const fake = new FakeChat();
    fake.chunks = Array.from({ length: 100 }, () => ({ content: 'x' }));
    fake.hook = () => new Promise(() => {});
    const model = fromLangChain(fake, { timeouts: { request: 60 } });
    expect(await failure(collect(model.stream(ASK, {})))).toBeInstanceOf(
      ModelRequestTimeoutException,
    );
    expect(await failure(model.generate(ASK, {}))).toBeInstanceOf(ModelRequestTimeoutException);
  });

  it('end a model that does not listen', async () => {
    const { fake, signals } = deaf();
    const model = fromLangChain(fake, { timeouts: { firstChunk: 30 } });
    await failure(model.generate(ASK, {}));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('do not count the time that the consumer takes', async () => {
    const fake = new FakeChat();
    fake.chunks = [{ content: 'a' }, { content: 'b' }, { content: 'c' }];
    const texts: string[] = [];
    for await (const delta of fromLangChain(fake, { timeouts: { betweenChunks: 20 } }).stream(
      ASK,
      {},
    )) {
      if (delta.type === 'text') texts.push(delta.text);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(texts).toEqual(['a', 'b', 'c']);
  });

  it('have none for the connection', () => {
    const timeouts = { connect: 5 } as object;
    expect(() => fromLangChain(new FakeChat(), { timeouts })).toThrow('timeouts.firstChunk');
  });
});

describe('the signal of a request', () => {
  it('ends a model that does not listen, and keeps no listener', async () => {
    const { fake } = deaf();
    const controller = new AbortController();
    const { signal } = controller;
    const added = jest.spyOn(signal, 'addEventListener');
    const removed = jest.spyOn(signal, 'removeEventListener');
    const whole = failure(fromLangChain(fake).generate(ASK, { signal }));
    const streamed = failure(collect(fromLangChain(fake).stream(ASK, { signal })));
    await new Promise((resolve) => setImmediate(resolve));
    expect(added).toHaveBeenCalledTimes(2);
    const reason = new Error('enough');
    controller.abort(reason);
    expect([await whole, await streamed]).toEqual([reason, reason]);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
  });

  it('that is aborted already asks nothing', async () => {
    const fake = new FakeChat();
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    expect(await failure(fromLangChain(fake).generate(ASK, { signal }))).toBe(reason);
    expect(await failure(collect(fromLangChain(fake).stream(ASK, { signal })))).toBe(reason);
    expect(fake.asked).toEqual([]);
  });
});
