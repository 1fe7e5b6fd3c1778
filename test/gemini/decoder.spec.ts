import { describe, expect, it } from '@jest/globals';
import { ChatModelException, ChatStreamException, type ChatDelta } from 'nestjs-agent-tools';
import { decodeGeminiAnswer, gemini } from 'nestjs-agent-tools/gemini';
import { collect, failure } from '../models/test-server.js';

const piece = (parts: unknown, more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
});
const STOP = { finishReason: 'STOP' };
const answer = (...parts: unknown[]) => piece(parts, STOP);

const modelOf = (body: string, type = 'text/event-stream') =>
  gemini({
    model: 'm',
    apiKey: 'k',
    retry: { maxRetries: 0 },
    fetch: async () => new Response(body, { headers: { 'content-type': type } }),
  });
const stream = (...events: unknown[]): Promise<ChatDelta[]> =>
  collect(
    modelOf(events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join('')).stream(
      { messages: [] },
      {},
    ),
  );

describe('an answer of Gemini', () => {
  it('has reasoning, text, calls, a reason and usage', () => {
    expect(
      decodeGeminiAnswer({
        ...answer(
          { text: 'Hm', thought: true },
          { text: 'I ' },
          { text: 'look.' },
          { functionCall: { id: 'a', name: 'f', args: { n: [1, { m: null }] } } },
        ),
        usageMetadata: {
          promptTokenCount: 10,
          toolUsePromptTokenCount: 5,
          candidatesTokenCount: 3,
          thoughtsTokenCount: 2,
          cachedContentTokenCount: 4,
          totalTokenCount: 20,
        },
      }),
    ).toEqual({
      content: [
        { type: 'reasoning', text: 'Hm' },
        { type: 'text', text: 'I look.' },
        { type: 'tool-call', id: 'a', name: 'f', arguments: '{"n":[1,{"m":null}]}' },
      ],
      finishReason: 'stop',
      usage: {
        inputTokens: 15,
        outputTokens: 5,
        totalTokens: 20,
        cacheReadTokens: 4,
        reasoningTokens: 2,
      },
    });
  });

  it('has an id for each call, unique, whatever the server gives (37, 39)', () => {
    const { content } = decodeGeminiAnswer(
      answer(
        { functionCall: { name: 'f' } },
        { functionCall: { id: '', name: 'f' } },
        { functionCall: { id: 'a', name: 'f' } },
        { functionCall: { id: 'a', name: 'f', args: { n: 1 } } },
      ),
    );
    const ids = content.map((part) => part.type === 'tool-call' && part.id);
    expect(ids[2]).toBe('a');
    expect(new Set(ids).size).toBe(4);
    expect(ids.every(Boolean)).toBe(true);
  });

  it('keeps a call without arguments and its signature (13)', () => {
    for (const args of [{}, { args: null }, { args: {} }]) {
      expect(
        decodeGeminiAnswer(
          answer({ functionCall: { name: 'now', ...args }, thoughtSignature: 's' }),
        ).content,
      ).toEqual([
        {
          type: 'tool-call',
          id: expect.stringMatching(/^call_/),
          name: 'now',
          arguments: '{}',
          providerMetadata: { gemini: { thoughtSignature: 's' } },
        },
      ]);
    }
  });

  it('keeps names from the server away from prototypes (41)', () => {
    const args = JSON.parse('{"__proto__":{"x":1}}') as object;
    const { content } = decodeGeminiAnswer(answer({ functionCall: { name: '__proto__', args } }));
    expect(content).toMatchObject([{ name: '__proto__', arguments: '{"__proto__":{"x":1}}' }]);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('ignores what it does not know', () => {
    expect(
      decodeGeminiAnswer({
        ...answer(
          null,
          'x',
          [],
          {},
          { text: null },
          { text: 1, thoughtSignature: 's' },
          { inlineData: { mimeType: 'image/png', data: 'AA' } },
          { functionCall: { args: {} } },
          { functionCall: null },
          { executableCode: 'x' },
          { text: 'Hi', thoughtSignature: 7, thought: 'yes' },
        ),
        usageMetadata: { promptTokenCount: '1', candidatesTokenCount: -1, totalTokenCount: NaN },
        automaticFunctionCallingHistory: [],
      }),
    ).toEqual({ content: [{ type: 'text', text: 'Hi' }], finishReason: 'stop' });
  });

  it('is the first of several candidates', () => {
    const candidates = [
      { index: 1, content: { parts: [{ text: 'b' }] }, finishReason: 'MAX_TOKENS' },
      null,
      { index: 0, content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' },
    ];
    expect(decodeGeminiAnswer({ candidates })).toEqual({
      content: [{ type: 'text', text: 'a' }],
      finishReason: 'stop',
    });
  });

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['RECITATION', 'content-filter'],
    ['BLOCKLIST', 'content-filter'],
    ['PROHIBITED_CONTENT', 'content-filter'],
    ['SPII', 'content-filter'],
    ['IMAGE_SAFETY', 'content-filter'],
    ['LANGUAGE', 'other'],
    ['OTHER', 'other'],
    ['constructor', 'other'],
  ])('that ends with %s ends with %s', (finishReason, reason) => {
    const whole = decodeGeminiAnswer(piece([{ text: 'x' }], { finishReason }));
    expect(whole.finishReason).toBe(reason);
  });

  it('to a prompt that is blocked is filtered', async () => {
    const blocked = {
      promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
      usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 },
    };
    const usage = { inputTokens: 3, outputTokens: 0, totalTokens: 3 };
    expect(decodeGeminiAnswer(blocked)).toEqual({
      content: [],
      finishReason: 'content-filter',
      usage,
    });
    expect(await stream(blocked)).toEqual([
      { type: 'usage', usage },
      { type: 'finish', reason: 'content-filter' },
    ]);
  });

  it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'])(
    'that ends with %s is an error, and its calls do not run',
    async (finishReason) => {
      const broken = piece([{ functionCall: { name: 'f', args: {} } }], {
        finishReason,
        finishMessage: 'Malformed function call: print(f(',
      });
      expect(() => decodeGeminiAnswer(broken, 'x')).toThrow(finishReason);
      const model = modelOf(JSON.stringify(broken), 'application/json');
      for (const run of [stream(broken), model.generate({ messages: [] }, {})]) {
        const error = await failure<ChatModelException>(run);
        expect(error).toBeInstanceOf(ChatModelException);
        expect(error).toMatchObject({ code: finishReason, retryable: false, provider: 'gemini' });
        expect(error.message).toContain('gemini:m');
        expect(error.message).toContain('print(f(');
      }
    },
  );

  it('whose arguments come in pieces is an error, and never a wrong call', async () => {
    const call = {
      name: 'f',
      partialArgs: [{ jsonPath: '$.n', numberValue: 1 }],
      willContinue: true,
    };
    const error = await failure(stream(piece([{ functionCall: call }]), answer()));
    expect(error.message).toContain('streamFunctionCallArguments');
  });

  it.each([[{}], [{ choices: [] }], [null], ['x'], [[]], [{ candidates: {} }]])(
    'is not %j',
    (body) => {
      expect(() => decodeGeminiAnswer(body, 'x')).toThrow(/^x sent JSON that is no answer/);
    },
  );

  it('without a reason is whole if it is one body, and cut off if it is a list', () => {
    expect(decodeGeminiAnswer(piece([{ text: 'x' }])).finishReason).toBe('stop');
    for (const body of [[piece([{ text: 'x' }])], piece([]), { candidates: [] }]) {
      expect(() => decodeGeminiAnswer(body)).toThrow(ChatModelException);
    }
  });
});

describe('a streamed answer of Gemini', () => {
  it('has its pieces as they come, and the latest usage (91)', async () => {
    const usage = (candidatesTokenCount?: number) => ({
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount, totalTokenCount: 99 },
    });
    const deltas = await stream(
      { ...piece([{ text: 'He' }]), ...usage(30) },
      { ...piece([{ text: 'llo' }]), ...usage() },
      { ...answer({ text: '' }), ...usage(20) },
    );
    expect(deltas).toEqual([
      { type: 'text', text: 'He' },
      { type: 'usage', usage: { inputTokens: 9, outputTokens: 30, totalTokens: 99 } },
      { type: 'text', text: 'llo' },
      { type: 'usage', usage: { inputTokens: 9, outputTokens: 0, totalTokens: 99 } },
      { type: 'usage', usage: { inputTokens: 9, outputTokens: 20, totalTokens: 99 } },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('has all calls of one piece and of several (7)', async () => {
    const calls = (
      await stream(
        piece([{ functionCall: { name: 'f', args: { n: 1 } } }, { functionCall: { name: 'f' } }]),
        answer({ functionCall: { name: 'f', args: { n: 1 } } }),
      )
    ).filter(({ type }) => type === 'tool-call');
    expect(calls).toMatchObject([
      { index: 0, arguments: '{"n":1}' },
      { index: 1, arguments: '{}' },
      { index: 2, arguments: '{"n":1}' },
    ]);
  });

  it('keeps parts with signatures apart', async () => {
    const signed = (text: string, thoughtSignature: string) => ({ text, thoughtSignature });
    const events = [piece([{ text: 'a' }]), piece([signed('b', '1')]), answer(signed('', '2'))];
    const streamed = await modelOf(JSON.stringify(events), 'application/json').generate(
      { messages: [] },
      {},
    );
    const metadata = (thoughtSignature: string) => ({
      providerMetadata: { gemini: { thoughtSignature } },
    });
    expect(streamed.content).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', ...metadata('1') },
      { type: 'text', text: '', ...metadata('2') },
    ]);
  });

  it('may have its usage after its reason, and pieces that say nothing', async () => {
    const deltas = await stream(
      {},
      { candidates: null },
      { candidates: [] },
      piece([{ text: 'x' }], { finishReason: 'FINISH_REASON_UNSPECIFIED' }),
      piece(null, { finishReason: 'MAX_TOKENS' }),
      { ...answer(), usageMetadata: { promptTokenCount: 1 } },
    );
    expect(deltas).toEqual([
      { type: 'text', text: 'x' },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 0, totalTokens: 1 } },
      { type: 'finish', reason: 'length' },
    ]);
  });

  it('may come as a list in one body, and is the same', async () => {
    const events = [
      piece([{ text: 'Hm', thought: true }]),
      piece([{ text: 'a' }]),
      answer({ functionCall: { id: 'x', name: 'f', args: { n: 1 } } }),
    ];
    const model = modelOf(JSON.stringify(events), 'application/json');
    expect(await collect(model.stream({ messages: [] }, {}))).toEqual(await stream(...events));
  });

  it('that is cut off has no finish (78)', async () => {
    const deltas = await stream(piece([{ text: 'Hel' }]), {
      usageMetadata: { promptTokenCount: 1 },
    });
    expect(deltas.map(({ type }) => type)).toEqual(['text', 'usage']);
    const list = modelOf(JSON.stringify([piece([{ text: 'Hel' }])]), 'application/json');
    const error = await failure<ChatStreamException>(list.generate({ messages: [] }, {}));
    expect(error).toBeInstanceOf(ChatStreamException);
    expect(error.partial).toEqual([{ type: 'text', text: 'Hel' }]);
  });
});
