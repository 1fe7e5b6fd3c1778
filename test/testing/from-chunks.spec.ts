import { describe, expect, it } from '@jest/globals';
import { ChatModelException, type ChatModel } from 'nestjs-agent-tools';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai } from 'nestjs-agent-tools/openai';
import { fromChunks, type ChunkModelOptions } from 'nestjs-agent-tools/testing';
import { collect, failure } from '../models/test-server.js';

const request = { messages: [{ role: 'user', content: 'Hello' }] } as const;

const HELLO = { choices: [{ index: 0, delta: { content: 'Hel' } }] };
const LO = { choices: [{ index: 0, delta: { content: 'lö 😀' } }] };
const STOP = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const WHOLE = { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] };

async function textOf(model: ChatModel): Promise<string> {
  const pieces = await collect(model.stream(request, {}));
  return pieces.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
}

/** What the server of a model sends, as text. */
async function rawOf(
  ...script: Parameters<typeof fromChunks> extends [unknown, ...infer R] ? R : never
) {
  let options: ChunkModelOptions | undefined;
  const factory = (given: ChunkModelOptions): ChatModel => {
    options = given;
    return openai(given);
  };
  fromChunks(factory, ...script);
  const answer = await options?.fetch('https://x.example/', {
    headers: { accept: 'text/event-stream' },
  });
  return answer?.text();
}

describe('fromChunks()', () => {
  it('streams objects as events', async () => {
    expect(await textOf(fromChunks(openai, [HELLO, LO, STOP], { done: true }))).toBe('Hellö 😀');
    expect(await textOf(fromChunks(openai, [HELLO, LO, STOP]))).toBe('Hellö 😀');
  });

  it('serves every protocol', async () => {
    const text = { type: 'text_delta', text: 'Hi' };
    const claude = fromChunks(anthropic, [
      { type: 'message_start', message: { role: 'assistant', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: text },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ]);
    const content = { role: 'model', parts: [{ text: 'Hi' }] };
    const google = fromChunks(gemini, [{ candidates: [{ content, finishReason: 'STOP' }] }]);
    expect(await textOf(claude)).toBe('Hi');
    expect(await textOf(google)).toBe('Hi');
  });

  it('names the event of an object with a type', async () => {
    expect(await rawOf([{ type: 'ping', n: 1 }, { n: 2 }, { type: 3 }])).toBe(
      'event: ping\ndata: {"type":"ping","n":1}\n\ndata: {"n":2}\n\ndata: {"type":3}\n\n',
    );
  });

  it('sends texts and bytes as they are, so that an event can be cut anywhere', async () => {
    const bytes = Buffer.from(`data: ${JSON.stringify(LO)}\n\ndata: ${JSON.stringify(STOP)}\n\n`);
    for (let at = 1; at < bytes.length; at += 7) {
      const chunks = [HELLO, bytes.subarray(0, at), bytes.subarray(at)];
      expect(await textOf(fromChunks(openai, chunks))).toBe('Hellö 😀');
    }
    expect(await rawOf(['data: {"a', '":1}\n\n', new Uint8Array([33])], { done: true })).toBe(
      'data: {"a":1}\n\n!data: [DONE]\n\n',
    );
  });

  it('answers generate() with one object, or with its text in pieces', async () => {
    const text = JSON.stringify(WHOLE);
    for (const chunks of [[WHOLE], [text.slice(0, 9), text.slice(9)]]) {
      const { content } = await fromChunks(openai, chunks).generate(request, {});
      expect(content).toEqual([{ type: 'text', text: 'Hello' }]);
    }
  });

  it('refuses several objects as a whole answer', async () => {
    const error = await failure(fromChunks(openai, [HELLO, STOP]).generate(request, {}));
    expect(error.message).toContain('has 2 objects, but a whole answer is one');
  });

  it('breaks the connection', async () => {
    const model = fromChunks(openai, [HELLO], { end: 'reset' });
    const error = await failure<ChatModelException>(collect(model.stream(request, {})));
    expect(error).toBeInstanceOf(ChatModelException);
    expect(error.message).toContain('terminated');
    expect(error.retryable).toBe(true);
  });

  it.each(['abort', 'timeout'])('is silent after the last piece, until an %s', async (how) => {
    const controller = new AbortController();
    const factory = (options: ChunkModelOptions): ChatModel =>
      openai({ ...options, timeouts: { betweenChunks: how === 'timeout' ? 20 : 0 } });
    const model = fromChunks(factory, [HELLO], { end: 'stall' });
    const stream = model.stream(request, { signal: controller.signal });
    const iterator = stream[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({ type: 'text', text: 'Hel' });
    const next = failure(iterator.next());
    if (how === 'abort') controller.abort(new Error('Enough.'));
    expect((await next).message).toMatch(how === 'abort' ? /Enough/ : /20/);
  });

  it('answers with errors, and is asked once', async () => {
    let retries = 0;
    const chunk = { error: { message: 'Too many requests', code: 'rate_limit_exceeded' } };
    const headers = { 'retry-after': '7' };
    const model = fromChunks(openai, [chunk], { status: 429, headers });
    const options = { onRetry: () => retries++ };
    const error = await failure<ChatModelException>(collect(model.stream(request, options)));
    expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', retryAfter: 7_000 });
    expect(retries).toBe(0);
  });

  it.each<[string, unknown[]]>([
    ['needs the factory of a model, not the model', [openai({ model: 'm', apiKey: 'k' }), []]],
    ['it was given nothing', [undefined, []]],
    ['needs the pieces of the answer as a list', [openai]],
    ['it was given a text', [openai, 'Hi']],
    [
      'The piece at index 1 of fromChunks() must be an object, a text or bytes, not nothing',
      [openai, [HELLO, null]],
    ],
    [
      'The piece at index 0 of fromChunks() must be an object, a text or bytes, not 5',
      [openai, [5]],
    ],
    ['fromChunks() has no option `stats` (did you mean `status`?)', [openai, [], { stats: 429 }]],
    ["has no `end` \"hang\". Give 'close', 'reset' or 'stall'.", [openai, [], { end: 'hang' }]],
    ['a whole number from 200 to 599 as `status`, not "429"', [openai, [], { status: '429' }]],
    ['a whole number from 200 to 599 as `status`, not 42', [openai, [], { status: 42 }]],
    ['The options of fromChunks() are an object', [openai, [], 'reset']],
  ])('refuses at once what is of no use: %s', (text, given) => {
    const make = () => (fromChunks as (...args: unknown[]) => ChatModel)(...given);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(text);
  });

  it('plays its script once', async () => {
    const model = fromChunks(openai, [HELLO, STOP]);
    await textOf(model);
    const error = await failure<ChatModelException>(textOf(model));
    expect(error.message).toContain('are one answer, but the model sent request number 2');
    expect(error.retryable).toBe(false);
  });
});
