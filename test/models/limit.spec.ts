import { inspect } from 'node:util';
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ChatMessage, ChatModel, ChatOptions, ChatRequest } from 'nestjs-agent-tools';
import { estimateTokens } from '../../libs/agent-tools/src/models/limits/estimate-tokens.js';
import type { LimitOptions } from '../../libs/agent-tools/src/models/limits/interfaces/limit-options.interface.js';
import { limit } from '../../libs/agent-tools/src/models/limits/limit.js';
import { WaitingLine } from '../../libs/agent-tools/src/utils/waiting-line.js';
import { withMiddleware } from '../../libs/agent-tools/src/models/middleware/with-middleware.js';
import { answer, FakeModel, iterate, REQUEST, STOP, text, usage } from './fake.model.js';
import { collect, failure } from './test-server.js';

const DONE = { done: true, value: undefined };
const MINUTE = 60_000;

const limited = (model: ChatModel, options: LimitOptions) => withMiddleware(model, limit(options));

/** Answers when it is told to. */
class HeldModel implements ChatModel {
  readonly name = 'held';
  readonly asked: ChatRequest[] = [];
  private readonly pending: ((error?: Error) => void)[] = [];

  async generate(request: ChatRequest) {
    this.asked.push(request);
    await this.held();
    return { content: [], finishReason: 'stop' as const };
  }

  async *stream(request: ChatRequest) {
    this.asked.push(request);
    await this.held();
    yield text('Hi');
    yield STOP;
  }

  /** Lets the oldest request go on. */
  async answer(error?: Error): Promise<void> {
    this.pending.shift()?.(error);
    await settle();
  }

  private held(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.pending.push((error) => (error ? reject(error) : resolve()));
    });
  }
}

const settle = () => jest.advanceTimersByTimeAsync(0);
const named = (content: string): ChatRequest => ({ messages: [{ role: 'user', content }] });
/** That many tokens, as estimated. */
const sized = (tokens: number) => named('x'.repeat(4 * tokens));

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  const left = jest.getTimerCount();
  jest.useRealTimers();
  if (left > 0) throw new Error(`${left} timers were left.`);
});

describe('a limit of concurrency', () => {
  it('lets requests through in their order', async () => {
    const inner = new HeldModel();
    const model = limited(inner, { concurrency: 2 });
    const requests = ['a', 'b', 'c', 'd'].map(named);
    const all = Promise.all([
      model.generate(requests[0], {}),
      collect(model.stream(requests[1], {})),
      model.generate(requests[2], {}),
      collect(model.stream(requests[3], {})),
    ]);
    await settle();
    expect(inner.asked).toEqual(requests.slice(0, 2));
    await inner.answer();
    expect(inner.asked).toEqual(requests.slice(0, 3));
    await inner.answer();
    expect(inner.asked).toEqual(requests);
    await inner.answer();
    await inner.answer();
    await all;
  });

  it('is given the request and the options as they are', async () => {
    const inner = new FakeModel('own', answer('Hi'));
    const model = limited(inner, { concurrency: 1 });
    const options: ChatOptions = {};
    await model.generate(REQUEST, options);
    await collect(model.stream(REQUEST, options));
    expect(inner.requests).toEqual([REQUEST, REQUEST]);
    expect(inner.options[0]).toBe(options);
    expect(inner.options[1]).toBe(options);
  });

  it('is shared by the models that are given the same', async () => {
    const [a, b] = [new HeldModel(), new HeldModel()];
    const shared = limit({ concurrency: 1 });
    const first = withMiddleware(a, shared).generate(REQUEST, {});
    const second = withMiddleware(b, shared).generate(REQUEST, {});
    await settle();
    expect([a.asked.length, b.asked.length]).toEqual([1, 0]);
    await a.answer();
    expect(b.asked).toHaveLength(1);
    await b.answer();
    await Promise.all([first, second]);
  });

  it('does not read the signal of a stream that need not wait', async () => {
    const read = jest.fn();
    const options: ChatOptions = {
      get signal() {
        read();
        return undefined;
      },
    };
    const inner = new HeldModel();
    const model = limited(inner, { concurrency: 1 });
    const first = collect(model.stream(REQUEST, options));
    await settle();
    expect(read).not.toHaveBeenCalled();
    const second = collect(model.stream(REQUEST, options));
    await settle();
    expect(read).toHaveBeenCalledTimes(1);
    await inner.answer();
    await inner.answer();
    await Promise.all([first, second]);
  });

  describe('gives a place back', () => {
    /** One place; it must be free again. */
    async function expectFree(model: ChatModel): Promise<void> {
      const asked = model.generate(named('next'), {});
      await settle();
      expect(await Promise.race([asked, Promise.resolve('it waits')])).toMatchObject({
        finishReason: 'stop',
      });
    }

    const good = new FakeModel('own', answer('Hi'));
    const error = new Error('broken');
    /** Fails in one way at first. */
    function failing(how: Partial<ChatModel>): ChatModel {
      let asked = 0;
      const first = () => asked++ === 0;
      return {
        name: 'own',
        generate: (request, options = {}) =>
          (first() && how.generate ? how : good).generate?.(request, options) as never,
        stream: (request, options = {}) =>
          (first() && how.stream ? how : good).stream?.(request, options) as never,
      };
    }
    const fail = (): never => {
      throw error;
    };

    it('after a failure', async () => {
      const model = limited(new FakeModel('own', [error], [text('H'), error], answer('Hi')), {
        concurrency: 1,
      });
      expect(await failure(collect(model.stream(REQUEST, {})))).toBe(error);
      expect(await failure(model.generate(REQUEST, {}))).toBe(error);
      await expectFree(model);
    });

    it('when the model throws before it gives a promise', async () => {
      const model = limited(failing({ generate: fail }), { concurrency: 1 });
      expect(await failure(model.generate(REQUEST, {}))).toBe(error);
      await expectFree(model);
    });

    it('when the model throws before it gives a stream', async () => {
      const model = limited(failing({ stream: fail }), { concurrency: 1 });
      expect(await failure(collect(model.stream(REQUEST, {})))).toBe(error);
      await expectFree(model);
    });

    it('when the stream has no iterator', async () => {
      const stream = () => ({ [Symbol.asyncIterator]: fail });
      const model = limited(failing({ stream }), { concurrency: 1 });
      expect(await failure(collect(model.stream(REQUEST, {})))).toBe(error);
      await expectFree(model);
    });

    it.each([1, 2])('when the iterator throws at piece %i', async (at) => {
      let piece = 0;
      const next = () =>
        ++piece === at ? fail() : Promise.resolve({ done: false, value: text('H') });
      const stream = () => ({ [Symbol.asyncIterator]: () => ({ next }) });
      const model = limited(failing({ stream }), { concurrency: 1 });
      expect(await failure(collect(model.stream(REQUEST, {})))).toBe(error);
      await expectFree(model);
    });

    it('when a stream is left early, and not before it is closed', async () => {
      let close: () => void = () => {};
      const stream = () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => Promise.resolve({ done: false, value: text('H') }),
          return: () => new Promise<never>((resolve) => (close = () => resolve(DONE as never))),
        }),
      });
      const model = limited(failing({ stream }), { concurrency: 1 });
      const left = iterate(model);
      await left.next();
      const leaving = Promise.all([left.return(), left.return()]);
      const waiting = model.generate(REQUEST, {});
      await settle();
      expect(await Promise.race([waiting, Promise.resolve('it waits')])).toBe('it waits');
      close();
      expect(await leaving).toEqual([DONE, DONE]);
      await waiting;
      await expectFree(model);
    });

    it('a while after a stream was left whose model never lets go', async () => {
      const stream = () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => Promise.resolve({ done: false, value: text('H') }),
          return: () => new Promise<never>(() => {}),
        }),
      });
      const model = limited(failing({ stream }), { concurrency: 1 });
      const left = iterate(model);
      await left.next();
      void left.return();
      const waiting = model.generate(REQUEST, {});
      await jest.advanceTimersByTimeAsync(4_999);
      expect(await Promise.race([waiting, Promise.resolve('it waits')])).toBe('it waits');
      await jest.advanceTimersByTimeAsync(1);
      await waiting;
      await expectFree(model);
    });

    it('a while after an abort of which the model takes no notice', async () => {
      const generate = () => new Promise<never>(() => {});
      const model = limited(failing({ generate }), { concurrency: 1 });
      const controller = new AbortController();
      void model.generate(REQUEST, { signal: controller.signal });
      await settle();
      controller.abort();
      const waiting = model.generate(REQUEST, {});
      await jest.advanceTimersByTimeAsync(4_999);
      expect(await Promise.race([waiting, Promise.resolve('it waits')])).toBe('it waits');
      await jest.advanceTimersByTimeAsync(1);
      await waiting;
      await expectFree(model);
    });

    it('when closing a stream fails', async () => {
      const stream = () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => Promise.resolve({ done: false, value: text('H') }),
          return: () => Promise.reject(error),
        }),
      });
      const model = limited(failing({ stream }), { concurrency: 1 });
      const left = iterate(model);
      await left.next();
      expect(await failure(left.return())).toBe(error);
      await expectFree(model);
    });

    it('only once, however often a stream is left', async () => {
      const inner = new HeldModel();
      const model = limited(inner, { concurrency: 1 });
      const left = iterate(limited(good, { concurrency: 1 }));
      await left.next();
      await left.return();
      await left.return();
      const shared = iterate(model);
      const first = shared.next();
      await settle();
      await inner.answer();
      await first;
      await shared.return();
      await shared.return();
      const rest = [model.generate(REQUEST, {}), model.generate(REQUEST, {})];
      await settle();
      expect(inner.asked).toHaveLength(2);
      await inner.answer();
      await inner.answer();
      await Promise.all(rest);
    });

    it('after a stream has ended, though nobody asks once more', async () => {
      const model = limited(good, { concurrency: 1 });
      const stream = iterate(model);
      await stream.next();
      await stream.next();
      expect(await stream.next()).toEqual(DONE);
      await expectFree(model);
    });
  });

  it('takes no place for a stream that is not read', async () => {
    const inner = new FakeModel('own', answer('Hi'));
    const model = limited(inner, { concurrency: 1 });
    const unread = iterate(model);
    await model.generate(REQUEST, {});
    await unread.return();
    expect(await unread.next()).toEqual(DONE);
    expect(inner.asked).toBe(1);
  });

  describe.each(['generate', 'stream'] as const)('while %s waits', (way) => {
    const ask = (model: ChatModel, options: ChatOptions = {}) =>
      way === 'generate'
        ? model.generate(REQUEST, options)
        : collect(model.stream(REQUEST, options));

    it('is left at an abort, with its reason', async () => {
      const inner = new HeldModel();
      const model = limited(inner, { concurrency: 1 });
      const controller = new AbortController();
      const { signal } = controller;
      const first = ask(model);
      const second = failure(ask(model, { signal }));
      const third = ask(model, { signal: new AbortController().signal });
      await settle();
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      const reason = new Error('enough');
      controller.abort(reason);
      expect(await second).toBe(reason);
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
      await inner.answer();
      expect(inner.asked).toHaveLength(2);
      await inner.answer();
      await Promise.all([first, third]);
    });

    it('does not begin if the signal has aborted', async () => {
      const inner = new HeldModel();
      const model = limited(inner, { concurrency: 1 });
      const first = ask(model);
      const reason = new Error('enough');
      expect(await failure(ask(model, { signal: AbortSignal.abort(reason) }))).toBe(reason);
      await inner.answer();
      await first;
    });

    it('leaves no listener behind', async () => {
      const inner = new HeldModel();
      const model = limited(inner, { concurrency: 1 });
      const { signal } = new AbortController();
      const all = [ask(model, { signal }), ask(model, { signal })];
      await settle();
      await inner.answer();
      await inner.answer();
      await Promise.all(all);
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    });
  });

  it('gives up the place in the queue of a stream that is left while it waits', async () => {
    const inner = new HeldModel();
    const model = limited(inner, { concurrency: 1 });
    const { signal } = new AbortController();
    const first = model.generate(named('a'), {});
    const left = iterate(model, { signal });
    const pending = left.next();
    const third = model.generate(named('c'), {});
    await settle();
    expect(await left.return()).toEqual(DONE);
    expect(await pending).toEqual(DONE);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await inner.answer();
    expect(inner.asked).toEqual([named('a'), named('c')]);
    await inner.answer();
    await Promise.all([first, third]);
  });
});

describe('a limit of requests per minute', () => {
  it('lets no more of them begin in any span of a minute', async () => {
    const times: number[] = [];
    const inner = new FakeModel('own', answer('Hi'));
    const model = limited(inner, { requestsPerMinute: 3 });
    const start = performance.now();
    const ask = async () => {
      await model.generate(REQUEST, {});
      times.push(performance.now() - start);
    };
    const all = [ask()];
    await jest.advanceTimersByTimeAsync(20_000);
    all.push(...Array.from({ length: 6 }, ask));
    await jest.advanceTimersByTimeAsync(3 * MINUTE);
    await Promise.all(all);
    expect(times).toEqual([0, 20_000, 20_000, 60_000, 80_000, 80_000, 120_000]);
  });

  it('leaves no timer when all that wait have gone', async () => {
    const model = limited(new FakeModel('own', answer('Hi')), { requestsPerMinute: 1 });
    await model.generate(REQUEST, {});
    expect(jest.getTimerCount()).toBe(0);
    const controller = new AbortController();
    const asked = failure(model.generate(REQUEST, { signal: controller.signal }));
    const left = iterate(model);
    const pending = left.next();
    await settle();
    expect(jest.getTimerCount()).toBe(1);
    controller.abort();
    expect(await asked).toMatchObject({ name: 'AbortError' });
    expect(jest.getTimerCount()).toBe(1);
    await left.return();
    await pending;
    expect(jest.getTimerCount()).toBe(0);
  });

  it('holds together with one of concurrency', async () => {
    const inner = new HeldModel();
    const model = limited(inner, { requestsPerMinute: 2, concurrency: 1 });
    const all = Array.from({ length: 3 }, () => model.generate(REQUEST, {}));
    await settle();
    expect(inner.asked).toHaveLength(1);
    await inner.answer();
    expect(inner.asked).toHaveLength(2);
    await inner.answer();
    expect(inner.asked).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(MINUTE);
    expect(inner.asked).toHaveLength(3);
    await inner.answer();
    await Promise.all(all);
  });
});

describe('a limit of tokens per minute', () => {
  /** How many requests have begun after that time. */
  async function begun(inner: FakeModel, milliseconds = 0): Promise<number> {
    await jest.advanceTimersByTimeAsync(milliseconds);
    return inner.asked;
  }

  it('holds back what is estimated to go beyond it', async () => {
    const inner = new FakeModel('own', answer('Hi'));
    const model = limited(inner, { tokensPerMinute: 100 });
    const all = [sized(60), sized(40), sized(1)].map((request) => model.generate(request, {}));
    expect(await begun(inner)).toBe(2);
    expect(await begun(inner, MINUTE - 1)).toBe(2);
    expect(await begun(inner, 1)).toBe(3);
    await Promise.all(all);
  });

  it('keeps the order, though a later request would fit', async () => {
    const inner = new FakeModel('own', answer('Hi'));
    const model = limited(inner, { tokensPerMinute: 100 });
    const requests = [sized(60), sized(50), sized(1)];
    const all = requests.map((request) => model.generate(request, {}));
    expect(await begun(inner)).toBe(1);
    expect(await begun(inner, MINUTE)).toBe(3);
    expect(inner.requests).toEqual(requests);
    await Promise.all(all);
  });

  it.each(['generate', 'stream'] as const)('counts the usage of %s afterwards', async (way) => {
    const inner = new FakeModel('own', [text('Hi'), usage(5), STOP, usage(10)], answer('Hi'));
    const model = limited(inner, { tokensPerMinute: 100 });
    const ask = (request: ChatRequest): Promise<unknown> =>
      way === 'generate' ? model.generate(request, {}) : collect(model.stream(request, {}));
    await ask(sized(90));
    const all = [ask(sized(90)), ask(sized(1))];
    expect(await begun(inner)).toBe(2);
    expect(await begun(inner, MINUTE)).toBe(3);
    await Promise.all(all);
  });

  it('counts what a request took beyond its estimate from when that is known', async () => {
    const inner = new FakeModel('own', [text('Hi'), usage(100), STOP], answer('Hi'));
    const model = limited(inner, { tokensPerMinute: 100 });
    const stream = iterate(model);
    await stream.next();
    await jest.advanceTimersByTimeAsync(30_000);
    while (!(await stream.next()).done);
    const next = model.generate(sized(10), {});
    expect(await begun(inner, 59_999)).toBe(1);
    expect(await begun(inner, 1)).toBe(2);
    await next;
  });

  it('does not give back twice what has expired meanwhile', async () => {
    const inner = new FakeModel('own', [text('Hi'), usage(1), STOP], answer('Hi'));
    const model = limited(inner, { tokensPerMinute: 100 });
    const stream = model.stream(sized(90), {})[Symbol.asyncIterator]();
    await stream.next();
    await jest.advanceTimersByTimeAsync(MINUTE);
    await model.generate(sized(90), {});
    while (!(await stream.next()).done);
    const next = model.generate(sized(20), {});
    expect(await begun(inner)).toBe(2);
    expect(await begun(inner, MINUTE)).toBe(3);
    await next;
  });

  it.each([NaN, -1, Infinity, '7'])('does not take %p for a usage', async (tokens) => {
    const inner = new FakeModel('own', [text('Hi'), usage(tokens as number), STOP], answer('Hi'));
    const model = limited(inner, { tokensPerMinute: 100 });
    await model.generate(sized(90), {});
    const next = model.generate(sized(20), {});
    expect(await begun(inner)).toBe(1);
    expect(await begun(inner, MINUTE)).toBe(2);
    await next;
  });

  it('sends a request that is above it at once after others that took nothing', async () => {
    const inner = new FakeModel('own', [text('Hi'), usage(0), STOP]);
    const model = limited(inner, { tokensPerMinute: 100 });
    await model.generate(sized(90), {});
    await model.generate(sized(500), {});
    expect(inner.asked).toBe(2);
  });

  it('sends a request that is above it alone, rather than never', async () => {
    const inner = new FakeModel('own', answer('Hi'));
    const model = limited(inner, { tokensPerMinute: 100 });
    const all = [sized(1), sized(500), sized(1)].map((request) => model.generate(request, {}));
    expect(await begun(inner)).toBe(1);
    expect(await begun(inner, MINUTE)).toBe(2);
    expect(await begun(inner, MINUTE - 1)).toBe(2);
    expect(await begun(inner, 1)).toBe(3);
    await Promise.all(all);
  });
});

describe('the tokens of a request', () => {
  const messages: ChatMessage[] = [
    { role: 'system', content: 'x'.repeat(10) },
    { role: 'user', content: [{ type: 'text', text: 'x'.repeat(10) }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'x'.repeat(10) },
        { type: 'tool-call', id: 'any', name: 'find', arguments: '{"a":1}' },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', callId: 'any', name: 'find', status: 'success', content: '12345' },
      ],
    },
  ];

  it('are a quarter of the characters of its messages', () => {
    expect(estimateTokens({ messages })).toBe(Math.ceil((30 + 4 + 7 + 4 + 5) / 4));
    expect(estimateTokens({ messages: [] })).toBe(1);
  });

  it('are those of the tools and of the answer, too', () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string' } } } as const;
    const tools = [{ name: 'find', description: 'Finds.', inputSchema }];
    const length = 4 + 6 + JSON.stringify(inputSchema).length;
    expect(estimateTokens({ messages: [], tools })).toBe(Math.ceil(length / 4));
    expect(estimateTokens({ messages: [], settings: { maxTokens: 50 } })).toBe(50);
    expect(estimateTokens({ messages: [], settings: { maxTokens: NaN } })).toBe(1);
  });

  it('do not depend on how an image is written', () => {
    const image = (url: string): ChatRequest => ({
      messages: [{ role: 'user', content: [{ type: 'image', url }] }],
    });
    const inline = estimateTokens(image(`data:image/png;base64,${'A'.repeat(1_000_000)}`));
    expect(inline).toBe(estimateTokens(image('https://example.com/a.png')));
    expect(inline).toBe(1_000);
  });

  it('are counted once for each message', () => {
    const read = jest.fn(() => 'x'.repeat(8));
    const message: ChatMessage = {
      role: 'user',
      get content() {
        return read();
      },
    };
    for (let step = 1; step <= 5; step++) {
      expect(estimateTokens({ messages: [message] })).toBe(2);
    }
    expect(read).toHaveBeenCalledTimes(1);
  });
});

describe('limit', () => {
  it.each([
    { concurrency: 0 },
    { concurrency: 1.5 },
    { requestsPerMinute: NaN },
    { requestsPerMinute: Infinity },
    { tokensPerMinute: -1 },
    { tokensPerMinute: '100' as unknown as number },
  ])('refuses %j', (options) => {
    const [[name, value]] = Object.entries(options);
    expect(() => limit(options)).toThrow(RangeError);
    expect(() => limit(options)).toThrow(
      `limit() was given \`${name}: ${inspect(value)}\`. Give a whole number from 1, or leave it out.`,
    );
  });

  it.each([{}, { concurrency: undefined }])('refuses %j, which limits nothing', (options) => {
    expect(() => limit(options)).toThrow(/no limit\. Give one of concurrency, requestsPerMinute/);
  });

  it('finds the next request as fast among many as among few', () => {
    /** The time for each item to leave, in front or anywhere. */
    const measure = (count: number, order: (index: number) => number): number => {
      const line = new WaitingLine<number>();
      for (let index = 0; index < count; index++) line.add(index);
      const start = process.hrtime.bigint();
      for (let index = 0; index < count; index++) {
        if (line.first === undefined) throw new Error('It is empty too early.');
        line.remove(order(index));
      }
      expect(line.first).toBeUndefined();
      return Number(process.hrtime.bigint() - start) / count;
    };
    for (const order of [(index: number) => index, (index: number) => index ^ 1]) {
      measure(4_000, order);
      // A set takes about 10,000 ns for each of so many.
      expect(measure(100_000, order)).toBeLessThan(4_000);
    }
  });
});
