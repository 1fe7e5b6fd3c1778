import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  ChatModelException,
  withRetries,
  type ChatDelta,
  type ChatModel,
  type ChatRetry,
  type ChatRetryPolicy,
  type SchemaDialect,
} from 'nestjs-agent-tools';
import { answer, assemble, FakeModel, iterate, REQUEST, STOP, text, usage } from './fake.model.js';
import { collect, failure } from './test-server.js';

const busy = (retryAfter?: number) =>
  new ChatModelException('busy', { retryable: true, retryAfter });
const BAD = new ChatModelException('bad request', { status: 400 });
const NOW: ChatRetryPolicy = { delay: 0 };
const DONE = { done: true, value: undefined };

/** Both ways of asking, which must repeat alike. */
const WAYS: [string, (model: ChatModel, options?: object) => Promise<unknown>][] = [
  ['generate', (model, options = {}) => model.generate(REQUEST, options)],
  ['stream', (model, options = {}) => assemble(model.stream(REQUEST, options))],
];

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  const left = jest.getTimerCount();
  jest.useRealTimers();
  jest.restoreAllMocks();
  if (left > 0) throw new Error(`${left} timers were left.`);
});

/** Lets waits pass until a promise is settled. */
async function elapse<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  settled.catch(() => {});
  while (!isSettled) await jest.advanceTimersByTimeAsync(1_000);
  return settled;
}

describe.each(WAYS)('%s with retries', (_way, ask) => {
  it('asks again after a retryable error', async () => {
    const model = new FakeModel('own', [busy()], [busy()], answer('Hi'));
    expect(await elapse(ask(withRetries(model)))).toMatchObject({
      content: [{ type: 'text', text: 'Hi' }],
    });
    expect(model.requests).toEqual([REQUEST, REQUEST, REQUEST]);
    expect(model.requests[2]).toBe(REQUEST);
  });

  it('gives up after two repetitions, or as many as the policy says, with the last error', async () => {
    const last = busy();
    const model = new FakeModel('own', [busy()], [busy()], [last]);
    expect(await failure(elapse(ask(withRetries(model))))).toBe(last);
    expect(model.asked).toBe(3);
    const never = new FakeModel('own', [busy()]);
    await failure(elapse(ask(withRetries(never, { maxRetries: 0 }))));
    expect(never.asked).toBe(1);
    const often = new FakeModel('own', [busy()]);
    await failure(elapse(ask(withRetries(often, { maxRetries: 6 }))));
    expect(often.asked).toBe(7);
  });

  it.each([BAD, new Error('a bug')])('does not repeat what would fail again: %s', async (error) => {
    const model = new FakeModel('own', [error]);
    expect(await failure(ask(withRetries(model)))).toBe(error);
    expect(model.asked).toBe(1);
  });

  it('waits as the server asks, but not for longer than the policy allows', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const model = new FakeModel('own', [busy(10_000)], answer('Hi'));
    const asked = ask(withRetries(model));
    await jest.advanceTimersByTimeAsync(10_249);
    expect(model.asked).toBe(1);
    await jest.advanceTimersByTimeAsync(2);
    expect(model.asked).toBe(2);
    await asked;

    const slow = new FakeModel('own', [busy(10_000)], answer('Hi'));
    const error = await failure(ask(withRetries(slow, { maxRetryAfter: 9_999 })));
    expect(error).toMatchObject({ retryAfter: 10_000 });
    expect(slow.asked).toBe(1);
  });

  it('waits twice as long with each repetition, up to `maxDelay`', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const delays: number[] = [];
    const onRetry = ({ delay }: ChatRetry) => delays.push(delay);
    const model = withRetries(new FakeModel('own', [busy()]), {
      maxRetries: 5,
      delay: 100,
      maxDelay: 700,
    });
    await failure(elapse(ask(model, { onRetry })));
    expect(delays).toEqual([50, 100, 200, 350, 350]);
  });

  it('tells of each repetition once, before its wait', async () => {
    const told: ChatRetry[] = [];
    const errors = [busy(), busy(7)];
    const model = new FakeModel('own', [errors[0]], [errors[1]], answer('Hi'));
    const onRetry = (retry: ChatRetry) => {
      expect(model.asked).toBe(retry.attempt);
      told.push(retry);
    };
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    await elapse(ask(withRetries(model), { onRetry }));
    expect(told).toEqual([
      { model: 'own', error: errors[0], attempt: 1, delay: 250, restarted: false },
      { model: 'own', error: errors[1], attempt: 2, delay: 507, restarted: false },
    ]);
    expect(told[1].error).toBe(errors[1]);
  });

  it('does not tell of an error after which it gives up', async () => {
    const onRetry = jest.fn();
    await failure(ask(withRetries(new FakeModel('own', [BAD])), { onRetry }));
    await failure(ask(withRetries(new FakeModel('own', [busy()]), { maxRetries: 0 }), { onRetry }));
    expect(onRetry).not.toHaveBeenCalled();
  });

  it('ends its wait at an abort, with the reason of the signal', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const model = new FakeModel('own', [busy(30_000)], answer('Hi'));
    const asked = failure(ask(withRetries(model), { signal }));
    await jest.advanceTimersByTimeAsync(10);
    expect(jest.getTimerCount()).toBe(1);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await asked).toBe(reason);
    expect(jest.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(model.asked).toBe(1);
  });

  it('does not repeat after an abort', async () => {
    const onRetry = jest.fn();
    const reason = new Error('enough');
    const options = { signal: AbortSignal.abort(reason), onRetry };
    const model = new FakeModel('own', [busy()], answer('Hi'));
    expect(await failure(ask(withRetries(model), options))).toBe(reason);
    expect(model.asked).toBe(1);
    expect(onRetry).not.toHaveBeenCalled();
  });

  it('leaves no listener on the signal when all went well', async () => {
    const { signal } = new AbortController();
    await elapse(ask(withRetries(new FakeModel('own', [busy()], answer('Hi'))), { signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('repeats an answer that was cut off before anything came', async () => {
    const model = new FakeModel('own', [usage(3)], answer('Hi'));
    expect(await elapse(ask(withRetries(model)))).toMatchObject({ finishReason: 'stop' });
    const silent = new FakeModel('own', []);
    const error = await failure(elapse(ask(withRetries(silent))));
    expect(error).toMatchObject({ name: 'ChatStreamException', partial: [] });
    expect(silent.asked).toBe(3);
  });
});

describe('a stream with retries', () => {
  it('is not repeated after its first piece', async () => {
    const error = busy();
    const model = new FakeModel('own', [text('He'), error], answer('Hi'));
    const pieces: ChatDelta[] = [];
    const read = async () => {
      for await (const delta of withRetries(model, NOW).stream(REQUEST, {})) pieces.push(delta);
    };
    expect(await failure(read())).toBe(error);
    expect(pieces).toEqual([text('He')]);
    expect(model.asked).toBe(1);
  });

  it('is repeated when only the usage had come, of which nothing is left', async () => {
    const model = new FakeModel('own', [usage(5), busy()], [usage(7), text('Hi'), STOP]);
    const pieces = await elapse(collect(withRetries(model).stream(REQUEST, {})));
    expect(pieces).toEqual([usage(7), text('Hi'), STOP]);
  });

  it('is the inner one once it has begun', async () => {
    const inner = new FakeModel('own', answer('Hi')).stream(REQUEST, {});
    const next = jest.spyOn(inner, 'next');
    const model: ChatModel = { name: 'own', generate: jest.fn<never>(), stream: () => inner };
    const stream = iterate(withRetries(model));
    await stream.next();
    const second = stream.next();
    expect(second).toBe(next.mock.results[1].value);
    expect(await second).toEqual({ done: false, value: STOP });
    expect(await stream.next()).toEqual(DONE);
  });

  describe('that may begin anew', () => {
    const policy: ChatRetryPolicy = { restart: true, maxRetries: 3 };

    it('says so, and only the later answer counts', async () => {
      const told: ChatRetry[] = [];
      const onRetry = (retry: ChatRetry) => told.push(retry);
      const model = new FakeModel('own', [usage(9), text('He'), busy()], [busy()], answer('Hi'));
      const retried = withRetries(model, policy);
      const pieces = await elapse(collect(retried.stream(REQUEST, { onRetry })));
      expect(pieces).toEqual([usage(9), text('He'), { type: 'restart' }, text('Hi'), STOP]);
      expect(told.map(({ restarted }) => restarted)).toEqual([true, false]);

      const again = new FakeModel('own', [usage(9), text('He'), busy()], answer('Hi'));
      const stored = await elapse(assemble(withRetries(again, policy).stream(REQUEST, {})));
      expect(stored).toEqual({ content: [{ type: 'text', text: 'Hi' }], finishReason: 'stop' });
    });

    it('does so as well when it was cut off', async () => {
      const model = new FakeModel('own', [text('He')], answer('Hi'));
      const stored = await elapse(assemble(withRetries(model, policy).stream(REQUEST, {})));
      expect(stored.content).toEqual([{ type: 'text', text: 'Hi' }]);
    });

    it('keeps what came of the last attempt when it gives up', async () => {
      const cut = new FakeModel('own', [text('He')]);
      const error = await failure(elapse(assemble(withRetries(cut, policy).stream(REQUEST, {}))));
      expect(error).toMatchObject({ partial: [{ type: 'text', text: 'He' }] });
      expect(cut.asked).toBe(4);
    });

    it('forgets that a void answer was finished', async () => {
      const model = new FakeModel('own', [text('He'), STOP, busy()], [text('H')], answer('Hi'));
      const stored = await elapse(assemble(withRetries(model, policy).stream(REQUEST, {})));
      expect(stored.content).toEqual([{ type: 'text', text: 'Hi' }]);
      expect(model.asked).toBe(3);
    });

    it('ends after a finish', async () => {
      const model = new FakeModel('own', [text('Hi'), STOP, usage(4)]);
      const pieces = await collect(withRetries(model, policy).stream(REQUEST, {}));
      expect(pieces).toEqual([text('Hi'), STOP, usage(4)]);
      expect(model.asked).toBe(1);
    });

    it('does not repeat what would fail again', async () => {
      const model = new FakeModel('own', [text('He'), BAD], answer('Hi'));
      expect(await failure(collect(withRetries(model, policy).stream(REQUEST, {})))).toBe(BAD);
      expect(model.asked).toBe(1);
    });
  });

  describe('that is left', () => {
    it('during a wait ends it, and is not repeated', async () => {
      const model = new FakeModel('own', [busy(30_000)], answer('Hi'));
      const { signal } = new AbortController();
      const stream = iterate(withRetries(model), { signal });
      const pending = stream.next();
      await jest.advanceTimersByTimeAsync(10);
      expect(jest.getTimerCount()).toBe(1);
      await stream.return();
      expect(await pending).toEqual(DONE);
      expect(jest.getTimerCount()).toBe(0);
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
      await jest.advanceTimersByTimeAsync(60_000);
      expect(model.asked).toBe(1);
      expect(await stream.next()).toEqual(DONE);
    });

    it('while it is opening is not repeated', async () => {
      const model = new FakeModel('own', [busy()], answer('Hi'));
      const onRetry = jest.fn();
      const stream = iterate(withRetries(model), { onRetry });
      const pending = stream.next();
      await stream.return();
      expect(await pending).toEqual(DONE);
      await jest.advanceTimersByTimeAsync(60_000);
      expect(model.asked).toBe(1);
      expect(onRetry).not.toHaveBeenCalled();
    });

    it('before it was read is never opened', async () => {
      const model = new FakeModel('own', answer('Hi'));
      const stream = iterate(withRetries(model));
      await stream.return();
      expect(await stream.next()).toEqual(DONE);
      expect(model.asked).toBe(0);
    });

    it('twice closes the inner one once', async () => {
      const model = new FakeModel('own', answer('Hi'));
      const inner = model.stream(REQUEST, {});
      const close = jest.spyOn(inner, 'return');
      const stream = iterate(
        withRetries({ name: 'own', generate: jest.fn<never>(), stream: () => inner }),
      );
      await stream.next();
      expect(model.open).toBe(1);
      expect(await Promise.all([stream.return(), stream.return()])).toEqual([DONE, DONE]);
      expect(model.open).toBe(0);
      expect(close).toHaveBeenCalledTimes(1);
    });
  });

  it('gives nothing more after its error, and does not open another one', async () => {
    const model = new FakeModel('own', [BAD], answer('Hi'));
    const stream = iterate(withRetries(model));
    await failure(stream.next());
    expect(await stream.next()).toEqual(DONE);
    expect(model.asked).toBe(1);
  });

  it('gives nothing more after it was cut off, and does not open another one', async () => {
    const model = new FakeModel('own', [], answer('Hi'));
    const stream = iterate(withRetries(model, { maxRetries: 0 }));
    expect(await stream.next()).toEqual(DONE);
    expect(await stream.next()).toEqual(DONE);
    expect(model.asked).toBe(1);
  });

  it('gives nothing more after its end', async () => {
    const model = new FakeModel('own', answer('Hi'));
    const stream = iterate(withRetries(model, { restart: true }));
    await stream.next();
    await stream.next();
    expect(await Promise.all([stream.next(), stream.next()])).toEqual([DONE, DONE]);
    expect(model.asked).toBe(1);
  });

  it.each([false, true])('keeps its order when it is read ahead (restart: %s)', async (restart) => {
    const model = new FakeModel('own', [busy()], [usage(1), text('a'), text('b'), STOP]);
    const stream = iterate(withRetries(model, { restart }));
    const read = Promise.all(Array.from({ length: 5 }, () => stream.next()));
    expect((await elapse(read)).map(({ value }) => value)).toEqual([
      usage(1),
      text('a'),
      text('b'),
      STOP,
      undefined,
    ]);
    expect(model.asked).toBe(2);
  });

  it('is repeated when the model throws before it gives a stream', async () => {
    let asked = 0;
    const good = new FakeModel('own', answer('Hi'));
    const model: ChatModel = {
      name: 'own',
      generate: jest.fn<never>(),
      stream: (request, options = {}) => {
        if (++asked === 1) throw busy();
        return good.stream(request, options);
      },
    };
    const pieces = await elapse(collect(withRetries(model).stream(REQUEST, {})));
    expect(pieces).toEqual([text('Hi'), STOP]);
  });
});

describe('withRetries', () => {
  it('has the name and the schemas of its model', () => {
    const toolSchemas = { plain: jest.fn<SchemaDialect>() };
    const model = withRetries(Object.assign(new FakeModel('own:m'), { toolSchemas }));
    expect(model.name).toBe('own:m');
    expect(model.toolSchemas).toBe(toolSchemas);
  });

  it.each([
    { maxRetries: NaN },
    { maxRetries: -1 },
    { delay: NaN },
    { delay: Infinity },
    { maxDelay: Infinity },
    { maxRetryAfter: '60' as unknown as number },
  ])('refuses %j', (policy) => {
    expect(() => withRetries(new FakeModel('own:m'), policy)).toThrow(
      new RegExp(`own:m have \`${Object.keys(policy)[0]}: .*Give a number from 0`),
    );
  });

  it('refuses what is no model', () => {
    expect(() => withRetries(undefined as unknown as ChatModel)).toThrow(
      /withRetries\(\) was given undefined in place of a chat model\. Give it/,
    );
  });
});
