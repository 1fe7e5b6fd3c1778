import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ChatDelta, ChatRequest, ChatResponse } from 'nestjs-agent-tools';
import { withMiddleware } from '../../libs/agent-tools/src/models/middleware/with-middleware.js';
import {
  answer,
  assemble,
  FakeModel,
  iterate,
  REQUEST,
  STOP,
  text,
  usage,
  type FakeAnswer,
} from './fake.model.js';
import { CardRedaction } from './middleware-examples/card.redaction.js';
import { ChatCache } from './middleware-examples/chat.cache.js';
import { ChatLogger } from './middleware-examples/chat.logger.js';
import { collect, failure } from './test-server.js';

const EXAMPLES = resolve(import.meta.dirname, 'middleware-examples');
const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/models.md'), 'utf8');

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the documentation of middleware', () => {
  const NAMES = ['chat.logger.ts', 'chat.cache.ts', 'card.redaction.ts'];
  const withoutImports = (code: string) => code.replaceAll(/^import [\s\S]*?;\n/gm, '').trim();

  it.each(NAMES)('shows %s as it is tested here', (name) => {
    const code = withoutImports(readFileSync(resolve(EXAMPLES, name), 'utf8'));
    const snippet = new RegExp(`\`\`\`ts\\n// ${name}\\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1];
    expect(withoutImports(snippet ?? code)).toBe(code);
  });
});

describe('the logger of the documentation', () => {
  it('logs the usage of both ways', async () => {
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => {});
    const inner = new FakeModel('own', [usage(3), text('Hi'), STOP, usage(7)], answer('Hi'));
    const model = withMiddleware(inner, new ChatLogger());
    expect(await collect(model.stream(REQUEST, {}))).toHaveLength(4);
    await model.generate(REQUEST, {});
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^own: \d+ ms, 7 tokens$/)],
      [expect.stringMatching(/^own: \d+ ms, unknown tokens$/)],
    ]);
  });
});

describe('the cache of the documentation', () => {
  const FULL: FakeAnswer = [
    { type: 'reasoning', text: 'Hm', providerMetadata: { own: { signature: 's' } } },
    { type: 'text', text: 'One', part: 1 },
    { type: 'text', text: 'Two', part: 2 },
    { type: 'tool-call', index: 0, id: '1', name: 'find', arguments: '{"a":1}' },
    { type: 'tool-call', index: 1, id: '2', name: 'find', arguments: '{"a":2}' },
    usage(9),
    { type: 'finish', reason: 'tool-calls' },
  ];

  it('gives the same answer again, in both ways', async () => {
    for (const isStreamedFirst of [true, false]) {
      const inner = new FakeModel('own', FULL);
      const model = withMiddleware(inner, new ChatCache());
      const stream = () => assemble(model.stream(REQUEST, {}));
      const generate = () => model.generate(REQUEST, {});
      const answers: ChatResponse[] = [];
      for (const ask of isStreamedFirst ? [stream, generate, stream] : [generate, stream]) {
        answers.push(await ask());
      }
      expect(inner.asked).toBe(1);
      expect(answers[0].content).toHaveLength(5);
      expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    }
  });

  it('knows requests and models apart, but no keys', async () => {
    const cache = new ChatCache();
    const [a, b] = [new FakeModel('a', answer('a')), new FakeModel('b', answer('b'))];
    const requests: ChatRequest[] = [
      REQUEST,
      { messages: [{ role: 'user', content: 'Else' }] },
      { ...REQUEST, toolChoice: 'none' },
      { ...REQUEST, settings: { temperature: 1 } },
      { ...REQUEST, settings: { apiKey: 'k' } },
      { ...REQUEST, settings: { apiKey: 'other' } },
    ];
    for (const request of requests) await withMiddleware(a, cache).generate(request, {});
    expect(a.asked).toBe(4);
    expect(await withMiddleware(b, cache).generate(REQUEST, {})).toMatchObject({
      content: [{ text: 'b' }],
    });
  });

  it.each<[string, FakeAnswer]>([
    ['failed', [text('H'), new Error('broken')]],
    ['was cut off', [text('H')]],
    ['ended too early', [text('H'), { type: 'finish', reason: 'length' }]],
  ])('does not keep an answer that %s', async (_how, pieces) => {
    const inner = new FakeModel('own', pieces, answer('Hi'));
    const model = withMiddleware(inner, new ChatCache());
    await collect(model.stream(REQUEST, {})).catch(() => {});
    expect(await model.generate(REQUEST, {})).toMatchObject({ content: [{ text: 'Hi' }] });
  });

  it('does not keep a stream that was left', async () => {
    const inner = new FakeModel('own', answer('Hi'));
    const model = withMiddleware(inner, new ChatCache());
    const left = iterate(model);
    await left.next();
    await left.return();
    expect(inner.open).toBe(0);
    await model.generate(REQUEST, {});
    expect(inner.asked).toBe(2);
  });
});

describe('the redaction of the documentation', () => {
  const NUMBER = '4111 1111 1111 1111';

  it('takes numbers out of what is sent, and leaves the rest', async () => {
    const inner = new FakeModel('own', answer('Hi'));
    const request: ChatRequest = {
      messages: [
        { role: 'user', content: `My card is ${NUMBER}, my order 1234.` },
        { role: 'user', content: [{ type: 'text', text: NUMBER }] },
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', id: '1', name: 'pay', arguments: '{"n":4111111111111111}' },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', callId: '1', name: 'pay', status: 'success', content: NUMBER },
          ],
        },
      ],
    };
    const before = JSON.stringify(request);
    await withMiddleware(inner, new CardRedaction()).generate(request, {});
    expect(JSON.stringify(request)).toBe(before);
    expect(inner.requests[0].messages).toMatchObject([
      { content: 'My card is [card], my order 1234.' },
      { content: [{ text: '[card]' }] },
      { content: [{ arguments: '{"n":4111111111111111}' }] },
      { content: [{ content: '[card]' }] },
    ]);
  });

  it('takes numbers out of answers, wherever a stream is cut', async () => {
    const whole = `Card ${NUMBER}, order 1234`;
    const expected = 'Card [card], order 1234';
    for (let a = 0; a <= whole.length; a++) {
      for (let b = a; b <= whole.length; b++) {
        const pieces = [whole.slice(0, a), whole.slice(a, b), whole.slice(b)].map(text);
        const inner = new FakeModel('own', [pieces[0], usage(1), ...pieces.slice(1), STOP]);
        const model = withMiddleware(inner, new CardRedaction());
        const { content } = await assemble(model.stream(REQUEST, {}));
        expect(content).toEqual([{ type: 'text', text: expected }]);
      }
    }
    const inner = new FakeModel('own', answer(whole));
    const { content } = await withMiddleware(inner, new CardRedaction()).generate(REQUEST, {});
    expect(content).toEqual([{ type: 'text', text: expected }]);
  });

  it('keeps parts apart, forgets what is void and does not swallow the end', async () => {
    const pieces: ChatDelta[] = [
      text('12'),
      { type: 'restart' },
      { type: 'reasoning', text: `${NUMBER}` },
      { type: 'text', text: '34', part: 1 },
      { type: 'text', text: '56', part: 2 },
    ];
    const model = (...more: ChatDelta[]) =>
      withMiddleware(new FakeModel('own', [...pieces, ...more]), new CardRedaction());
    const parts = [
      { type: 'reasoning', text: '[card]' },
      { type: 'text', text: '34' },
      { type: 'text', text: '56' },
    ];
    expect((await assemble(model(STOP).stream(REQUEST, {}))).content).toEqual(parts);
    const error = await failure(assemble(model().stream(REQUEST, {})));
    expect(error).toMatchObject({ partial: parts });
  });
});
