import { describe, expect, it, jest } from '@jest/globals';
import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
  SchemaDialect,
} from 'nestjs-agent-tools';
import type { ChatModelMiddleware } from '../../libs/agent-tools/src/models/middleware/interfaces/chat-model-middleware.interface.js';
import { withMiddleware } from '../../libs/agent-tools/src/models/middleware/with-middleware.js';
import { answer, assemble, FakeModel, iterate, REQUEST, STOP, text } from './fake.model.js';
import { collect, failure } from './test-server.js';

const DONE = { done: true, value: undefined };
const HI: ChatResponse = { content: [{ type: 'text', text: 'Hi' }], finishReason: 'stop' };

const WAYS: [string, (model: ChatModel, options?: object) => Promise<ChatResponse>][] = [
  ['generate', (model, options = {}) => model.generate(REQUEST, options)],
  ['stream', (model, options = {}) => assemble(model.stream(REQUEST, options))],
];

/** Leaves its mark on the request, and on the answer. */
class Marker implements ChatModelMiddleware {
  constructor(
    private readonly mark: string,
    private readonly log: string[] = [],
  ) {}

  request(request: ChatRequest): ChatRequest {
    this.log.push(`${this.mark} request`);
    return {
      ...request,
      messages: [...request.messages, { role: 'user', content: this.mark }],
    };
  }

  async generate(
    request: ChatRequest,
    options: ChatOptions,
    next: ChatModel,
  ): Promise<ChatResponse> {
    this.log.push(`${this.mark} in`);
    const { content, ...rest } = await next.generate(request, options);
    this.log.push(`${this.mark} out`);
    return { ...rest, content: [...content, { type: 'text', text: this.mark }] };
  }

  async *stream(
    request: ChatRequest,
    options: ChatOptions,
    next: ChatModel,
  ): AsyncGenerator<ChatDelta> {
    this.log.push(`${this.mark} in`);
    for await (const delta of next.stream(request, options)) {
      if (delta.type === 'finish') yield text(this.mark);
      yield delta;
    }
    this.log.push(`${this.mark} out`);
  }
}

describe.each(WAYS)('middleware around %s', (_way, ask) => {
  it('sees the request first and the answer last if it is the first', async () => {
    const log: string[] = [];
    const inner = new FakeModel('own', answer('Hi'));
    const model = withMiddleware(inner, new Marker('a', log), new Marker('b', log));
    const { content } = await ask(model);
    expect(log).toEqual(['a request', 'a in', 'b request', 'b in', 'b out', 'a out']);
    expect(content.map((part) => ('text' in part ? part.text : '')).join('')).toBe('Hiba');
    expect(inner.requests[0].messages.map(({ content: said }) => said)).toEqual([
      'Hello',
      'a',
      'b',
    ]);
    expect(REQUEST.messages).toHaveLength(1);
  });

  it('hands the same options on', async () => {
    const inner = new FakeModel('own', answer('Hi'));
    const options: ChatOptions = { signal: new AbortController().signal };
    const request = jest.fn((given: ChatRequest, _options: ChatOptions) => given);
    await ask(withMiddleware(inner, { request }, new Marker('a')), options);
    expect(inner.options[0]).toBe(options);
    expect(request.mock.calls[0][1]).toBe(options);
  });

  it('may change the request alone, in its own time', async () => {
    const inner = new FakeModel('own', answer('Hi'));
    const changed: ChatRequest = { messages: [] };
    const request = () => new Promise<ChatRequest>((resolve) => setImmediate(resolve, changed));
    expect(await ask(withMiddleware(inner, { request }))).toEqual(HI);
    expect(inner.requests).toEqual([changed]);
    expect(inner.requests[0]).toBe(changed);
  });

  it('need not change the request', async () => {
    const inner = new FakeModel('own', answer('Hi'));
    const middleware: ChatModelMiddleware = {
      generate: (request, options, next) => next.generate(request, options),
      stream: (request, options, next) => next.stream(request, options),
    };
    expect(await ask(withMiddleware(inner, middleware))).toEqual(HI);
    expect(inner.requests[0]).toBe(REQUEST);
  });

  it('may answer by itself', async () => {
    const inner = new FakeModel('own', answer('No'));
    const middleware: ChatModelMiddleware = {
      generate: () => Promise.resolve(HI),
      stream: () => new FakeModel('other', answer('Hi')).stream(REQUEST, {}),
    };
    expect(await ask(withMiddleware(inner, middleware))).toEqual(HI);
    expect(inner.asked).toBe(0);
  });

  it('may ask again, and knows what it asks', async () => {
    const names: string[] = [];
    const inner = new FakeModel('own:model', [new Error('broken')], answer('Hi'));
    const middleware: ChatModelMiddleware = {
      generate: (request, options, next) => {
        names.push(next.name);
        return next.generate(request, options).catch(() => next.generate(request, options));
      },
      async *stream(request, options, next) {
        const { finishReason: reason } = (await this.generate?.(request, options, next)) ?? HI;
        yield text('Hi');
        yield { type: 'finish', reason };
      },
    };
    expect(await ask(withMiddleware(inner, middleware))).toEqual(HI);
    expect(names).toEqual(['own:model']);
    expect(inner.asked).toBe(2);
  });

  it('does not ask a model with the old request if its own one is missing', async () => {
    const inner = new FakeModel('own:model', answer('Hi'));
    const forgetful = { request: () => undefined as unknown as ChatRequest };
    const error = await failure(ask(withMiddleware(inner, forgetful)));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(/around own:model gave no request\. Return the one/);
    expect(inner.asked).toBe(0);
  });

  it('fails a request with what it throws', async () => {
    const inner = new FakeModel('own', answer('Hi'));
    const error = new Error('not allowed');
    const request = () => Promise.reject(error);
    expect(await failure(ask(withMiddleware(inner, { request })))).toBe(error);
    const fail = (): never => {
      throw error;
    };
    expect(await failure((async () => ask(withMiddleware(inner, { request: fail })))())).toBe(
      error,
    );
    const throwing = { generate: fail, stream: fail };
    expect(await failure((async () => ask(withMiddleware(inner, throwing)))())).toBe(error);
    expect(inner.asked).toBe(0);
  });
});

it('needs the model first', () => {
  const model = new FakeModel('own', answer('Hi'));
  expect(() => withMiddleware(new Marker('a') as never, model as never)).toThrow(
    'withMiddleware() was given another object in place of a chat model.',
  );
});

describe('a stream with middleware', () => {
  it('is the inner one once its request is made', async () => {
    const inner = new FakeModel('own', answer('Hi')).stream(REQUEST, {});
    const next = jest.spyOn(inner, 'next');
    const own: ChatModel = { name: 'own', generate: jest.fn<never>(), stream: () => inner };
    const stream = iterate(withMiddleware(own, { request: (request) => request }));
    expect(await stream.next()).toEqual({ done: false, value: text('Hi') });
    const second = stream.next();
    expect(second).toBe(next.mock.results[1].value);
    expect(await second).toEqual({ done: false, value: STOP });
    expect(await stream.next()).toEqual(DONE);
  });

  it('keeps its order when it is read ahead', async () => {
    const request = jest.fn((given: ChatRequest) => given);
    const inner = new FakeModel('own', answer('Hi'));
    const stream = iterate(withMiddleware(inner, { request }));
    const read = await Promise.all([stream.next(), stream.next(), stream.next()]);
    expect(read.map(({ value }) => value)).toEqual([text('Hi'), STOP, undefined]);
    expect(request).toHaveBeenCalledTimes(1);
    expect(inner.asked).toBe(1);
  });

  it('is not opened if it is left while its request is made', async () => {
    let give: (request: ChatRequest) => void = () => {};
    const inner = new FakeModel('own', answer('Hi'));
    const request = () => new Promise<ChatRequest>((resolve) => (give = resolve));
    const stream = iterate(withMiddleware(inner, { request }));
    const pending = stream.next();
    await stream.return();
    give(REQUEST);
    expect(await pending).toEqual(DONE);
    expect(inner.asked).toBe(0);
  });

  it('is closed through all middleware when it is left', async () => {
    const inner = new FakeModel('own', [text('a'), text('b'), STOP]);
    const model = withMiddleware(inner, new Marker('a'), { request: (request) => request });
    for await (const delta of model.stream(REQUEST, {})) {
      expect(delta).toEqual(text('a'));
      expect(inner.open).toBe(1);
      break;
    }
    expect(inner.open).toBe(0);
  });

  it('does not begin before it is read', async () => {
    const request = jest.fn((given: ChatRequest) => given);
    const stream = iterate(withMiddleware(new FakeModel('own', answer('Hi')), { request }));
    await stream.return();
    expect(await stream.next()).toEqual(DONE);
    expect(request).not.toHaveBeenCalled();
  });
});

describe('withMiddleware', () => {
  it('calls methods on the object itself, those of a base class included', async () => {
    class Tagging extends Marker {}
    const model = withMiddleware(new FakeModel('own', answer('Hi')), new Tagging('x'));
    expect((await model.generate(REQUEST, {})).content).toHaveLength(2);
    expect(await collect(model.stream(REQUEST, {}))).toHaveLength(3);
  });

  it('has the name and the schemas of its model', () => {
    const toolSchemas = { plain: jest.fn<SchemaDialect>() };
    const inner = Object.assign(new FakeModel('own:m'), { toolSchemas });
    const model = withMiddleware(inner, new Marker('a'), new Marker('b'));
    expect(model.name).toBe('own:m');
    expect(model.toolSchemas).toBe(toolSchemas);
  });

  it('is the model itself without middleware', () => {
    const model = new FakeModel('own');
    expect(withMiddleware(model)).toBe(model);
  });

  const method = () => {};

  it.each([
    [
      { generate: method },
      /has `generate` but no `stream`, so it would be skipped .* Add `stream`/,
    ],
    [
      { stream: method },
      /has `stream` but no `generate`, so it would be skipped .* Add `generate`/,
    ],
    [{ request: method, stream: method }, /has `stream` but no `generate`/],
    [{ generate: method, stream: undefined }, /has `generate` but no `stream`/],
    [{ generate: method, stream: 'yes' }, /has a `stream` that is no method\. Make it one/],
    [{ request: null }, /has a `request` that is no method/],
    [{}, /has none of the methods `request`, `generate` and `stream`/],
    [[], /has none of the methods/],
    [method, /is a function\. Give an object/],
    [undefined, /is undefined\. Give an object/],
    [null, /is null\. Give an object/],
    ['log', /is log\. Give an object/],
  ])('refuses %p', (middleware, message) => {
    const build = () =>
      withMiddleware(
        new FakeModel('own'),
        new Marker('a'),
        middleware as unknown as ChatModelMiddleware,
      );
    expect(build).toThrow(TypeError);
    expect(build).toThrow(message);
    expect(build).toThrow(/^The middleware at position 2 of withMiddleware\(\)/);
  });

  it('refuses what is no model', () => {
    expect(() => withMiddleware({} as ChatModel, new Marker('a'))).toThrow(
      /withMiddleware\(\) was given another object in place of a chat model/,
    );
  });
});
