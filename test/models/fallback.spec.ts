import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  ChatModelException,
  ChatStreamException,
  withRetries,
  type ChatModel,
  type ChatResponse,
  type ChatRetry,
  type DialectSchema,
  type ToolSchemaDialects,
} from 'nestjs-agent-tools';
import { fallback } from '../../libs/agent-tools/src/models/fallback/fallback.js';
import { ModelFallbackException } from '../../libs/agent-tools/src/models/exceptions/model-fallback.exception.js';
import { answer, assemble, FakeModel, iterate, REQUEST, STOP, text, usage } from './fake.model.js';
import { collect, failure } from './test-server.js';

const DONE = { done: true, value: undefined };
const broken = (message = 'broken', options = {}) => new ChatModelException(message, options);
const HI: ChatResponse = { content: [{ type: 'text', text: 'Hi' }], finishReason: 'stop' };

const WAYS: [string, (model: ChatModel, options?: object) => Promise<ChatResponse>][] = [
  ['generate', (model, options = {}) => model.generate(REQUEST, options)],
  ['stream', (model, options = {}) => assemble(model.stream(REQUEST, options))],
];

afterEach(() => {
  jest.restoreAllMocks();
});

describe.each(WAYS)('%s with a fallback', (_way, ask) => {
  it('asks only the first model if that answers', async () => {
    const first = new FakeModel('a', answer('Hi'));
    const second = new FakeModel('b', answer('No'));
    const options = {};
    expect(await ask(fallback([first, second]), options)).toEqual(HI);
    expect(first.requests[0]).toBe(REQUEST);
    expect(first.options[0]).toBe(options);
    expect(second.asked).toBe(0);
  });

  it('counts the tokens of an answer of no use', async () => {
    const useless = [usage(3), STOP];
    const good = [text('Hi'), usage(4), STOP];
    const both = await ask(fallback([new FakeModel('a', useless), new FakeModel('b', good)]));
    expect(both).toEqual({ ...HI, usage: { inputTokens: 7, outputTokens: 0, totalTokens: 7 } });
    const first = fallback([new FakeModel('a', useless), new FakeModel('b', answer('Hi'))]);
    expect(await ask(first)).toMatchObject({ ...HI, usage: { totalTokens: 3 } });
  });

  it('tells credentials of a request to no provider that they are not for', async () => {
    const models = [new FakeModel('a:1', [broken()]), new FakeModel('b:1', answer('Hi'))];
    const given = {
      apiKey: 'k',
      baseURL: 'https://x.example',
      headers: { 'X-Api-Key': 'k', a: 'b' },
    };
    for (const [name, value] of Object.entries(given)) {
      const request = { ...REQUEST, settings: { [name]: value } };
      const error = await failure(collect(fallback(models).stream(request)));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toContain(name === 'headers' ? '`headers.X-Api-Key`' : `\`${name}\``);
      expect(await failure(fallback(models).generate(request))).toBeInstanceOf(TypeError);
    }
    expect(models.map(({ asked }) => asked)).toEqual([0, 0]);
    const server = 'llm.example:443';
    const same = fallback([
      Object.assign(new FakeModel('a:1', [broken()]), { server }),
      Object.assign(new FakeModel('a:2', answer('Hi')), { server }),
    ]);
    const own = { ...REQUEST, settings: { apiKey: 'k', temperature: 0 } };
    expect(await same.generate(own)).toEqual(HI);
  });

  it.each([
    ['an error that may pass', [broken('busy', { retryable: true })]],
    ['an error that will not', [broken('wrong key', { status: 401 })]],
    ['a blank answer', [STOP]],
    ['an empty text', [text(''), STOP]],
    ['an answer that ended with an error', [{ type: 'finish', reason: 'error' } as const]],
    ['an error after the usage', [usage(3), broken()]],
    ['an answer that was cut off before it began', []],
    ['one that was cut off after the usage', [usage(3)]],
  ])('asks the next model after %s', async (_case, pieces) => {
    const first = new FakeModel('a', pieces);
    const second = new FakeModel('b', answer('Hi'));
    const options = {};
    expect(await ask(fallback([first, second]), options)).toEqual(HI);
    expect(second.requests[0]).toBe(REQUEST);
    expect(second.options[0]).toBe(options);
    expect([first.asked, second.asked]).toEqual([1, 1]);
    expect(first.open).toBe(0);
  });

  it('tells which model is asked next, and why', async () => {
    const told: ChatRetry[] = [];
    const error = broken();
    const onRetry = (retry: ChatRetry) => told.push(retry);
    const models = [
      new FakeModel('a', [error]),
      new FakeModel('b', [STOP]),
      new FakeModel('c', answer('Hi')),
    ];
    await ask(fallback(models), { onRetry });
    expect(told).toEqual([
      { model: 'b', error, attempt: 1, delay: 0, restarted: false },
      { model: 'c', error: expect.any(ChatModelException), attempt: 2, delay: 0, restarted: false },
    ]);
    expect(told[0].error).toBe(error);
    expect(told[1].error.message).toBe(
      'b gave an answer with neither text nor calls (finish "stop").',
    );
  });

  it('begins with the first model at each request', async () => {
    const first = new FakeModel('a', [broken()], answer('Hi'));
    const second = new FakeModel('b', answer('No'));
    const model = fallback([first, second]);
    await ask(model);
    expect(await ask(model)).toEqual(HI);
    expect([first.asked, second.asked]).toEqual([2, 1]);
  });

  it('throws an error that is none of a model at once', async () => {
    const bug = new TypeError('a bug');
    const second = new FakeModel('b', answer('Hi'));
    expect(await failure(ask(fallback([new FakeModel('a', [bug]), second])))).toBe(bug);
    expect(second.asked).toBe(0);
  });

  it('throws an error that `when` refuses at once', async () => {
    const seen: ChatModelException[] = [];
    const when = (error: ChatModelException) => {
      seen.push(error);
      return error.retryable;
    };
    const busy = broken('busy', { retryable: true });
    const wrong = broken('wrong key');
    const last = new FakeModel('c', answer('Hi'));
    const models = [new FakeModel('a', [busy]), new FakeModel('b', [wrong]), last];
    expect(await failure(ask(fallback(models, { when })))).toBe(wrong);
    expect(seen).toEqual([busy, wrong]);
    expect(last.asked).toBe(0);
  });

  it('throws the reason of an abort, and asks no other model', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const second = new FakeModel('b', answer('Hi'));
    const first: ChatModel = {
      name: 'a',
      generate: () => Promise.reject(stop()),
      stream: () => {
        throw stop();
      },
    };
    function stop(): Error {
      controller.abort(reason);
      return broken('the connection was closed');
    }
    const onRetry = jest.fn();
    const { signal } = controller;
    expect(await failure(ask(fallback([first, second]), { signal, onRetry }))).toBe(reason);
    expect(second.asked).toBe(0);
    expect(onRetry).not.toHaveBeenCalled();
  });

  it('asks nobody after an abort', async () => {
    const reason = new Error('enough');
    const first = new FakeModel('a', answer('Hi'));
    const options = { signal: AbortSignal.abort(reason) };
    expect(await failure(ask(fallback([first]), options))).toBe(reason);
    expect(first.asked).toBe(0);
  });

  it('says of each model why it failed when all do', async () => {
    const errors = [
      broken('a answered HTTP 401. Check the API key.', { status: 401 }),
      broken('busy', { retryable: true, retryAfter: 5_000 }),
      broken('busier', { retryable: true, retryAfter: 9_000 }),
      broken('gone', { retryAfter: 1 }),
    ];
    const models = errors.map((error, index) => new FakeModel('abcd'[index], [error]));
    const error = await failure<ModelFallbackException>(ask(fallback(models)));
    expect(error).toBeInstanceOf(ModelFallbackException);
    expect(error).toBeInstanceOf(ChatModelException);
    expect(error.message).toBe(
      'None of the 4 models of fallback() gave an answer. 1. a answered HTTP 401. Check the API key. ' +
        '2. b: busy 3. c: busier 4. d: gone',
    );
    expect(error).toMatchObject({ retryable: true, retryAfter: 5_000, errors });
    expect(error.cause).toBeInstanceOf(AggregateError);
    expect((error.cause as AggregateError).errors).toEqual(errors);
  });

  it('is repeated only if one of the models may answer later', async () => {
    const models = [
      new FakeModel('a', [broken('x', { retryAfter: 5 })]),
      new FakeModel('b', [broken()]),
    ];
    const error = await failure<ChatModelException>(ask(fallback(models)));
    expect(error.retryable).toBe(false);
    expect(error.retryAfter).toBeUndefined();
  });

  it('need not wait when one of the models names no wait', async () => {
    const models = [
      new FakeModel('a', [broken('x', { retryable: true, retryAfter: 5_000 })]),
      new FakeModel('b', [broken('y', { retryable: true })]),
    ];
    const error = await failure<ChatModelException>(ask(fallback(models)));
    expect(error).toMatchObject({ retryable: true, retryAfter: undefined });
  });

  it('can be repeated as a whole', async () => {
    const busy = broken('busy', { retryable: true });
    const models = [new FakeModel('a', [busy]), new FakeModel('b', [busy], answer('Hi'))];
    expect(await ask(withRetries(fallback(models), { delay: 0 }))).toEqual(HI);
    expect(models.map(({ asked }) => asked)).toEqual([2, 2]);
  });

  it('holds another fallback', async () => {
    const inner = fallback([new FakeModel('a', [broken()]), new FakeModel('b', [broken()])]);
    expect(await ask(fallback([inner, new FakeModel('c', answer('Hi'))]))).toEqual(HI);
  });
});

describe('generate with a fallback', () => {
  it('does not take reasoning alone for an answer', async () => {
    const first = new FakeModel('a', [{ type: 'reasoning', text: 'Hm' }, STOP]);
    const model = fallback([first, new FakeModel('b', answer('Hi'))]);
    expect(await model.generate(REQUEST, {})).toEqual(HI);
  });

  it('takes a call without text for an answer', async () => {
    const call = { type: 'tool-call', id: '1', name: 'find', arguments: '{}' } as const;
    const first = new FakeModel('a', [call, { type: 'finish', reason: 'tool-calls' }]);
    const model = fallback([first, new FakeModel('b', answer('Hi'))]);
    expect(await model.generate(REQUEST, {})).toMatchObject({ content: [call] });
  });

  it('asks the next model after an answer that `unusable` refuses', async () => {
    const refused = [text('I cannot'), { type: 'finish', reason: 'content-filter' } as const];
    const unusable = ({ finishReason }: ChatResponse) => finishReason === 'content-filter';
    const models = [new FakeModel('a', refused), new FakeModel('b', answer('Hi'))];
    expect(await fallback(models, { unusable }).generate(REQUEST, {})).toEqual(HI);
    const all = fallback([models[0]], { unusable });
    const error = await failure<ModelFallbackException>(all.generate(REQUEST, {}));
    expect(error.message).toContain('1. a gave an answer that `unusable` refused.');
    expect(error.retryable).toBe(false);
  });
});

describe('a stream with a fallback', () => {
  it.each([
    ['text', text('He')],
    ['reasoning', { type: 'reasoning', text: 'Hm' } as const],
    ['a call', { type: 'tool-call', id: '1', name: 'find' } as const],
    ['a signature', { type: 'text', text: '', providerMetadata: { a: { s: 1 } } } as const],
  ])('stays with its model after a piece of %s', async (_kind, piece) => {
    const error = broken();
    const second = new FakeModel('b', answer('Hi'));
    const stream = iterate(fallback([new FakeModel('a', [piece, error]), second]));
    expect(await stream.next()).toEqual({ done: false, value: piece });
    expect(await failure(stream.next())).toBe(error);
    expect(await stream.next()).toEqual(DONE);
    expect(second.asked).toBe(0);
  });

  it('is cut off if its model breaks off after the first piece', async () => {
    const second = new FakeModel('b', answer('Hi'));
    const model = fallback([new FakeModel('a', [text('He')]), second]);
    const error = await failure(assemble(model.stream(REQUEST, {})));
    expect(error).toBeInstanceOf(ChatStreamException);
    expect(error).toMatchObject({ partial: [{ type: 'text', text: 'He' }] });
    expect(second.asked).toBe(0);
  });

  it('gives nothing of a model that failed, and all of the one that answers', async () => {
    const first = new FakeModel('a', [usage(3), { type: 'restart' }, usage(4), broken()]);
    const second = new FakeModel('b', [usage(5), text('H'), text('i'), usage(6), STOP, usage(7)]);
    expect(await collect(fallback([first, second]).stream(REQUEST, {}))).toEqual([
      usage(5),
      text('H'),
      text('i'),
      usage(6),
      STOP,
      usage(7),
    ]);
  });

  it('gives no usage of an attempt inside of its model that is void', async () => {
    const first = new FakeModel('a', [usage(3), { type: 'restart' }, text('Hi'), STOP]);
    expect(await collect(fallback([first]).stream(REQUEST, {}))).toEqual([text('Hi'), STOP]);
  });

  it('is the inner one once it has begun', async () => {
    const inner = new FakeModel('b', answer('Hi')).stream(REQUEST, {});
    const next = jest.spyOn(inner, 'next');
    const second: ChatModel = { name: 'b', generate: jest.fn<never>(), stream: () => inner };
    const stream = iterate(fallback([new FakeModel('a', [broken()]), second]));
    await stream.next();
    const piece = stream.next();
    expect(piece).toBe(next.mock.results[1].value);
    expect(await piece).toEqual({ done: false, value: STOP });
    expect(await stream.next()).toEqual(DONE);
  });

  it('asks the next model when one throws before it gives a stream', async () => {
    const first: ChatModel = {
      name: 'a',
      generate: jest.fn<never>(),
      stream: () => {
        throw broken();
      },
    };
    const model = fallback([first, new FakeModel('b', answer('Hi'))]);
    expect(await assemble(model.stream(REQUEST, {}))).toEqual(HI);
  });

  it('does not wait for a useless stream that does not close, nor for its error', async () => {
    const useless = (close: () => Promise<never>): ChatModel => ({
      name: 'a',
      generate: jest.fn<never>(),
      stream: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => Promise.resolve({ done: false, value: STOP }),
          return: close,
        }),
      }),
    });
    const models = [
      useless(() => new Promise(() => {})),
      useless(() => Promise.reject(new Error('broken as well'))),
      new FakeModel('c', answer('Hi')),
    ];
    expect(await assemble(fallback(models).stream(REQUEST, {}))).toEqual(HI);
  });

  it('asks no model before it is read', async () => {
    const first = new FakeModel('a', answer('Hi'));
    const stream = iterate(fallback([first]));
    await stream.return();
    expect(await stream.next()).toEqual(DONE);
    expect(first.asked).toBe(0);
  });

  it('closes its model when it is left', async () => {
    const first = new FakeModel('a', answer('Hi'));
    const stream = iterate(fallback([first]));
    await stream.next();
    expect(first.open).toBe(1);
    expect(await Promise.all([stream.return(), stream.return()])).toEqual([DONE, DONE]);
    expect(first.open).toBe(0);
    expect(await stream.next()).toEqual(DONE);
  });

  it('closes its model, and asks no other, when it is left while it is opening', async () => {
    const close = jest.fn(() => Promise.resolve({ done: true as const, value: undefined }));
    let fail: (error: Error) => void = () => {};
    const first: ChatModel = {
      name: 'a',
      generate: jest.fn<never>(),
      stream: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise((_, reject) => (fail = reject)),
          return: close,
        }),
      }),
    };
    const second = new FakeModel('b', answer('Hi'));
    const onRetry = jest.fn();
    const stream = iterate(fallback([first, second]), { onRetry });
    const pending = stream.next();
    await stream.return();
    expect(close).toHaveBeenCalledTimes(1);
    fail(broken());
    expect(await pending).toEqual(DONE);
    expect(second.asked).toBe(0);
    expect(onRetry).not.toHaveBeenCalled();
  });

  it('keeps its order when it is read ahead', async () => {
    const second = new FakeModel('b', [usage(1), text('a'), text('b'), STOP]);
    const stream = iterate(fallback([new FakeModel('a', [broken()]), second]));
    const read = await Promise.all(Array.from({ length: 5 }, () => stream.next()));
    expect(read.map(({ value }) => value)).toEqual([
      usage(1),
      text('a'),
      text('b'),
      STOP,
      undefined,
    ]);
    expect(second.asked).toBe(1);
  });
});

describe('fallback', () => {
  it('refuses options that there are not', () => {
    const model = new FakeModel('a', answer('Hi'));
    expect(() => fallback([model], { wen: () => true } as never)).toThrow('did you mean `when`?');
    expect(() => fallback([model], { when: true } as never)).toThrow('must be a function');
  });

  it('is named after its models', () => {
    const model = fallback([new FakeModel('openai:a'), new FakeModel('anthropic:b')]);
    expect(model.name).toBe('fallback(openai:a, anthropic:b)');
  });

  it('keeps its models when the list is changed', async () => {
    const models = [new FakeModel('a', [broken()]), new FakeModel('b', answer('Hi'))];
    const model = fallback(models);
    models.length = 1;
    expect(await model.generate(REQUEST, {})).toEqual(HI);
  });

  it.each([[[]], [undefined], [new FakeModel('a')]])('refuses %p in place of models', (models) => {
    expect(() => fallback(models as unknown as ChatModel[])).toThrow(
      /fallback\(\) was given no models\. Give it a list: fallback\(\[openai/,
    );
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['openai:gpt-5', 'a text'],
    [() => new FakeModel('a'), 'a function'],
    [{ name: 'a', generate: () => {} }, 'another object'],
  ])('refuses a list with %p', (model, found) => {
    expect(() => fallback([new FakeModel('a'), model as unknown as ChatModel])).toThrow(
      `fallback() at [1] was given ${found} in place of a chat model.`,
    );
  });

  describe('takes the schemas of tools', () => {
    const SCHEMA = { type: 'object', properties: {} } as const;
    const result = (result: Partial<DialectSchema>): DialectSchema => ({
      schema: SCHEMA,
      strict: true,
      losses: [],
      refusals: [],
      ...result,
    });
    const model = (name: string, toolSchemas?: ToolSchemaDialects) =>
      Object.assign(new FakeModel(name), { toolSchemas });
    const plain = () => result({ strict: false, losses: ['/a'] });

    it('in no known way if none of its models says how', () => {
      expect(fallback([model('a'), model('b')]).toolSchemas).toBeUndefined();
    });

    it('as strict only if all of its models do', () => {
      const strict = () => result({ losses: ['/a', '/b'] });
      const refusing = () => result({ strict: false, refusals: ['a record', 'a tuple'] });
      const good = model('good', { plain, strict });
      const both = fallback([good, model('better', { plain, strict }), model('unknown')]);
      expect(both.toolSchemas?.strict?.(SCHEMA)).toEqual(result({ losses: ['/a', '/b'] }));

      const mixed = fallback([
        good,
        model('bad', { plain, strict: refusing }),
        model('old', { plain }),
      ]);
      expect(mixed.toolSchemas?.strict?.(SCHEMA)).toEqual({
        schema: SCHEMA,
        strict: false,
        losses: ['/a', '/b'],
        refusals: ['bad: a record', 'bad: a tuple', 'old: its server has no strict tools'],
      });
    });

    it('as strict never if none of its models does', () => {
      const { toolSchemas } = fallback([model('a', { plain }), model('b', { plain })]);
      expect(toolSchemas?.strict).toBeUndefined();
    });

    it('with the losses of each', () => {
      const other = () => result({ strict: false, losses: ['/a', '/c'] });
      const { toolSchemas } = fallback([model('a', { plain }), model('b', { plain: other })]);
      expect(toolSchemas?.plain(SCHEMA).losses).toEqual(['/a', '/c']);
    });
  });
});
