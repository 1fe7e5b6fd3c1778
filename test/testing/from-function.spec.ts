import { describe, expect, it } from '@jest/globals';
import {
  ChatStreamException,
  type ChatDelta,
  type ChatRequest,
  type ChatResponse,
} from 'nestjs-agent-tools';
import { fromFunction, type AnswerFunction } from 'nestjs-agent-tools/testing';
import { collect, failure } from '../models/test-server.js';

const request: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }] };

const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };

const response: ChatResponse = {
  content: [{ type: 'text', text: 'Hi there' }],
  finishReason: 'length',
  usage,
};

async function* deltas(): AsyncGenerator<ChatDelta> {
  yield { type: 'text', text: 'Hi ' };
  await Promise.resolve();
  yield { type: 'text', text: 'there' };
  yield { type: 'usage', usage };
  yield { type: 'finish', reason: 'length' };
}

const FORMS: [string, AnswerFunction][] = [
  ['a text', () => 'Hi there'],
  ['a promise of a text', async () => 'Hi there'],
  ['an answer', () => ({ text: 'Hi there' })],
  ['a response', () => response],
  ['a promise of a response', async () => response],
  ['a stream', () => deltas()],
  ['a promise of a stream', async () => deltas()],
  ['a generator', deltas],
];

describe('fromFunction()', () => {
  it.each(FORMS)('serves generate() and stream() from %s', async (_, answer) => {
    const model = fromFunction(answer);
    const { content } = await model.generate(request);
    const pieces = await collect(model.stream(request));
    const texts = pieces.map((delta) => (delta.type === 'text' ? delta.text : ''));
    expect(content).toEqual([{ type: 'text', text: 'Hi there' }]);
    expect(texts.join('')).toBe('Hi there');
    expect(pieces.at(-1)?.type).toBe('finish');
  });

  it.each(FORMS.slice(3))('keeps usage and finish reason of %s', async (_, answer) => {
    const model = fromFunction(answer);
    expect(await model.generate(request)).toEqual(response);
    const pieces = await collect(model.stream(request));
    expect(pieces.slice(-2)).toEqual([
      { type: 'usage', usage },
      { type: 'finish', reason: 'length' },
    ]);
  });

  it('needs a function, and has no other option than a name', () => {
    expect(() => fromFunction('x' as never)).toThrow(
      "fromFunction() needs a function: fromFunction(({ messages }) => 'It was shipped.'); it was given a text.",
    );
    expect(() => fromFunction(() => 'x', { nmae: 'y' } as object)).toThrow(
      'fromFunction() has no option `nmae` (did you mean `name`?). There is: `name`.',
    );
  });

  it.each<[unknown, string]>([
    [undefined, 'is nothing. A turn is'],
    [null, 'is nothing. A turn is'],
    [{ name: 'f', arguments: {} }, 'has `name`: write `tool`.'],
    [
      { content: [], finish_reason: 'stop' },
      'has no option `finish_reason` (did you mean `finishReason`?)',
    ],
    [{ content: 'Hi', finishReason: 'stop' }, 'must have as `content` a list of parts'],
  ])('refuses an answer that is none: %j', async (answer, text) => {
    const model = fromFunction(async () => answer as string);
    for (const asked of [model.generate(request), collect(model.stream(request))]) {
      const error = await failure(asked);
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toContain(`The answer of fromFunction() ${text}`);
    }
  });

  it('makes calls, with ids of their own', async () => {
    const model = fromFunction(({ messages }) => [
      { tool: 'f', arguments: { n: messages.length } },
    ]);
    const ids = [await model.generate(request), await model.generate(request)].map(
      ({ content }) => content[0],
    );
    expect(ids).toEqual([
      { type: 'tool-call', id: 'call_1', name: 'f', arguments: '{"n":1}' },
      { type: 'tool-call', id: 'call_2', name: 'f', arguments: '{"n":1}' },
    ]);
  });

  it('records each request with its messages as they were', async () => {
    const messages = [...request.messages];
    const model = fromFunction(() => 'Yes.', { name: 'mine' });
    await model.generate({ messages });
    messages.push({ role: 'user', content: 'More' });
    await collect(model.stream({ messages }));
    expect(model.name).toBe('mine');
    expect(model.requests.map((asked) => asked.messages.length)).toEqual([1, 2]);
  });

  it('hands the options on', async () => {
    const { signal } = new AbortController();
    const model = fromFunction((_, options) => String(options.signal === signal));
    const { content } = await model.generate(request, { signal });
    expect(content).toEqual([{ type: 'text', text: 'true' }]);
  });

  it('fails as the function does', async () => {
    const error = new Error('No idea.');
    const model = fromFunction(() => {
      throw error;
    });
    expect(await failure(model.generate(request))).toBe(error);
    expect(await failure(collect(model.stream(request)))).toBe(error);
  });

  it('fails for a stream without a finish', async () => {
    const model = fromFunction(async function* (): AsyncGenerator<ChatDelta> {
      yield { type: 'text', text: 'Hi' };
    });
    await expect(model.generate(request)).rejects.toThrow(ChatStreamException);
  });

  it.each(['generate', 'stream'] as const)(
    'ends with the signal, whether the function heeds it or not: %s()',
    async (method) => {
      for (const answer of [never, hanging]) {
        const controller = new AbortController();
        const model = fromFunction(answer as AnswerFunction);
        const { signal } = controller;
        const pending =
          method === 'generate'
            ? model.generate(request, { signal })
            : collect(model.stream(request, { signal }));
        const caught = failure(pending);
        await new Promise(setImmediate);
        controller.abort(new Error('Enough.'));
        expect((await caught).message).toBe('Enough.');
      }
    },
  );

  it('closes the stream of a function that is not read to its end', async () => {
    let isClosed = false;
    const model = fromFunction(async function* (): AsyncGenerator<ChatDelta> {
      try {
        for (;;) yield { type: 'text', text: 'x' };
      } finally {
        isClosed = true;
      }
    });
    for await (const delta of model.stream(request)) if (delta.type === 'text') break;
    await new Promise(setImmediate);
    expect(isClosed).toBe(true);
  });
});

function never(): Promise<string> {
  return new Promise(() => {});
}

async function* hanging(): AsyncGenerator<ChatDelta> {
  yield { type: 'text', text: 'x' };
  await never();
}
