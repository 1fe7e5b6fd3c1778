/** How an answer of a model without tool calling is streamed. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  ChatStreamAssembler,
  ChatStreamException,
  type ChatDelta,
  type ChatModel,
} from 'nestjs-agent-tools';
import { generating, STOP, streaming, text } from '../loop/support/models.js';
import {
  ARGS,
  BLOCK,
  CALL,
  deltasOf,
  found,
  inPieces,
  plain,
  prompted,
  REQUEST,
  said,
  shownAfter,
  thought,
} from './prompt-calls.support.js';

const log = { log: jest.fn(), warn: jest.fn(), error: jest.fn(), debug: jest.fn() };

beforeEach(() => {
  log.warn.mockClear();
  Logger.overrideLogger(log);
});

afterEach(() => Logger.overrideLogger(false));

const scriptOf = (...deltas: ChatDelta[]) =>
  streaming(async function* () {
    yield* deltas;
  });

const shownText = (deltas: readonly ChatDelta[]) =>
  deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');

describe('text', () => {
  it('flows at once', async () => {
    expect(await shownAfter('He', 'llo ', 'world.\n', 'a <', ' b')).toEqual([
      'He',
      'Hello ',
      'Hello world.\n',
      'Hello world.\na ',
      'Hello world.\na < b',
    ]);
  });

  it('is held back only as long as it may be markup', async () => {
    expect(
      await shownAfter('Hi <to', 'ol_bo', 'x>', '\nAc', 'tually', ' {"na', 'tion": 1}'),
    ).toEqual([
      'Hi ',
      'Hi <tool_bo',
      'Hi <tool_box>',
      'Hi <tool_box>\n',
      'Hi <tool_box>\nActually',
      'Hi <tool_box>\nActually ',
      'Hi <tool_box>\nActually {"nation": 1}',
    ]);
  });

  it('flows behind a call, and behind what turned out to be none', async () => {
    expect(await shownAfter(`${BLOCK}\n`, 'So', ' on.', CALL, ' or', ' not')).toEqual([
      '',
      '\nSo',
      '\nSo on.',
      '\nSo on.',
      `\nSo on.${CALL} or`,
      `\nSo on.${CALL} or not`,
    ]);
  });

  it('of code flows from its first word on', async () => {
    expect(await shownAfter('```', 'py', 'thon\n', 'print')).toEqual([
      '',
      '',
      '```python\n',
      '```python\nprint',
    ]);
  });

  it('of a thought flows as reasoning, word by word', async () => {
    expect(await shownAfter('Thought: ', 'I ', 'look.', '\nFinal An', 'swer: Yes', '.')).toEqual([
      '',
      '(I )',
      '(I )(look.)',
      '(I )(look.)',
      '(I )(look.)Yes',
      '(I )(look.)Yes.',
    ]);
  });

  it('keeps its part and what the provider wants back', async () => {
    const providerMetadata = { p: { s: 1 } };
    const deltas: ChatDelta[] = [
      { type: 'text', text: 'Hi', part: 1, providerMetadata },
      { type: 'text', text: BLOCK, part: 2, providerMetadata },
      STOP,
    ];
    expect((await deltasOf(scriptOf(...deltas))).slice(0, 2)).toEqual([
      { type: 'text', text: 'Hi', part: 1, providerMetadata },
      { type: 'text', text: '', part: 2, providerMetadata },
    ]);
  });
});

describe('other pieces', () => {
  it('pass as they are, and calls come before the finish without ids', async () => {
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    const reasoning: ChatDelta = { type: 'reasoning', text: `Hm. ${BLOCK}` };
    expect(
      await deltasOf(scriptOf(reasoning, text(BLOCK), { type: 'usage', usage }, STOP)),
    ).toEqual([
      reasoning,
      { type: 'usage', usage },
      { type: 'tool-call', index: 0, name: 'find', arguments: ARGS },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  it('of calls that the server knows after all do not mix with those of the text', async () => {
    const native: ChatDelta = {
      type: 'tool-call',
      index: 0,
      id: 'c1',
      name: 'now',
      arguments: '{}',
    };
    const assembler = new ChatStreamAssembler();
    for (const delta of await deltasOf(scriptOf(native, text(BLOCK), STOP))) assembler.push(delta);
    expect(plain(assembler.finish()).content).toEqual([found('{}', 'now'), found()]);
  });

  it('of a restart make what came void, also what is held back', async () => {
    const deltas = await deltasOf(
      scriptOf(text(`Final Answer: ${BLOCK}<tool_c`), { type: 'restart' }, text('all> Hi.'), STOP),
    );
    expect(deltas).toEqual([{ type: 'restart' }, text('all> Hi.'), STOP]);
  });
});

describe('a made-up result', () => {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

  it.each([
    ['of ReAct', `Action: find\nAction Input: ${ARGS}\nObservation:`],
    ['in a block', `${BLOCK}<tool_response>`],
  ])('ends the request at once, and the calls follow: %s', async (_form, written) => {
    let isLeft = false;
    let isAskedForMore = false;
    const inner = streaming(async function* () {
      try {
        yield { type: 'usage', usage };
        yield* inPieces(written, 5).map(text);
        isAskedForMore = true;
        yield text(' made up');
        yield STOP;
      } finally {
        isLeft = true;
      }
    });
    const seen: ChatDelta[] = [];
    const leftBeforeCalls: boolean[] = [];
    for await (const delta of prompted(inner).stream(REQUEST, {})) {
      if (delta.type === 'tool-call') leftBeforeCalls.push(isLeft);
      seen.push(delta);
    }
    expect(leftBeforeCalls).toEqual([true]);
    expect(isAskedForMore).toBe(false);
    expect(seen).toEqual([
      { type: 'usage', usage },
      { type: 'tool-call', index: 0, name: 'find', arguments: ARGS },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  it('is not waited for if the model does not let go', async () => {
    const inner: ChatModel = {
      ...generating(() => Promise.reject(new Error('This model only streams.'))),
      stream: () => ({
        [Symbol.asyncIterator]: () => ({
          next: async () => ({ done: false, value: text(`${BLOCK}<tool_response>`) }),
          return: () => new Promise(() => undefined),
        }),
      }),
    };
    const reading = deltasOf(inner);
    const pause = new Promise((resolve) => setTimeout(resolve, 1_000, 'hangs').unref());
    expect(await Promise.race([reading, pause])).toEqual([
      { type: 'tool-call', index: 0, name: 'find', arguments: ARGS },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  it('counts even if leaving the stream fails', async () => {
    const inner = streaming(async function* () {
      try {
        yield text(`${BLOCK}<tool_response>`);
      } finally {
        await Promise.reject(new Error('terminated'));
      }
    });
    expect(await deltasOf(inner)).toHaveLength(2);
  });

  it('hides in a whole answer what a stream would not have come to', async () => {
    const call = { type: 'tool-call', id: 'c1', name: 'now', arguments: '{}' } as const;
    const content = [said(`${BLOCK}<tool_response>`), thought('Hm.'), said('Well.'), call];
    const model = generating(async () => ({ content, finishReason: 'stop' }));
    expect(plain(await prompted(model).generate(REQUEST, {})).content).toEqual([found()]);
  });

  it('is logged once, and the usage of a whole answer stays', async () => {
    const content = [said(`${BLOCK}<tool_response>a<tool_response>b`)];
    const model = generating(async () => ({ content, finishReason: 'length', usage }));
    expect(plain(await prompted(model).generate(REQUEST, {}))).toEqual({
      content: [found()],
      finishReason: 'tool-calls',
      usage,
    });
    expect(log.warn).toHaveBeenCalledTimes(1);
    expect(String(log.warn.mock.calls[0][0])).toContain('"generating" made up the result');
  });
});

describe('an answer that breaks off', () => {
  const OPEN = [
    ['a block', `<tool_call>${CALL}`],
    ['half a tag', '<tool_ca'],
    ['bare JSON', CALL],
    ['open JSON', '{"name": "fi'],
    ['a fence', `\`\`\`json\n${CALL}`],
    ['the begin of a fence', '```js'],
    ['a block in a fence', `\`\`\`xml\n<tool_call>${CALL}`],
    ['an action', 'Action: find'],
    ['an input', `Action: find\n\nAction Input: ${ARGS.slice(0, -1)}`],
    ['blanks behind an input', `Action: find\nAction Input: ${ARGS} \n`],
    ['a rest behind an input', `Action: find\nAction Input: ${ARGS} , "n": 1`],
    ['half a label behind an input', `Action: find\nAction Input: ${ARGS} Fin`],
    ['half an input', 'Action: find\nAction Inp'],
  ];

  it.each(OPEN)('without a finish has no calls, and its text is kept: %s', async (_kind, open) => {
    const deltas = await deltasOf(scriptOf(...inPieces(`Look: \n${open}`, 3).map(text)));
    expect(deltas.every(({ type }) => type === 'text')).toBe(true);
    expect(shownText(deltas)).toBe(`Look: \n${open}`);
  });

  it.each(OPEN)('with an error has no calls, and its text is kept: %s', async (_kind, open) => {
    const inner = streaming(async function* () {
      yield text(`Look: \n${open}`);
      throw new Error('terminated');
    });
    const seen: ChatDelta[] = [];
    const reading = (async () => {
      for await (const delta of prompted(inner).stream(REQUEST, {})) seen.push(delta);
    })();
    await expect(reading).rejects.toThrow('terminated');
    expect(seen.every(({ type }) => type === 'text')).toBe(true);
    expect(shownText(seen)).toBe(`Look: \n${open}`);
  });

  it('has none of the calls before the break either', async () => {
    const assembler = new ChatStreamAssembler();
    const deltas = await deltasOf(scriptOf(text(`Look. ${BLOCK}${BLOCK} And`)));
    for (const delta of deltas) assembler.push(delta);
    expect(deltas).toEqual([text('Look.  And')]);
    expect(() => assembler.finish()).toThrow(ChatStreamException);
  });
});

it('leaves the model when it is left', async () => {
  let isLeft = false;
  const inner = streaming(async function* () {
    try {
      yield text('Hello ');
      yield text('world');
    } finally {
      isLeft = true;
    }
  });
  for await (const delta of prompted(inner).stream(REQUEST, {})) {
    expect(delta).toEqual(text('Hello '));
    break;
  }
  expect(isLeft).toBe(true);
});

it('leaves the answer alone if the request has no tools', async () => {
  const request = { messages: REQUEST.messages };
  const written = `Thought: x\n${BLOCK}<tool_response>`;
  expect(await deltasOf(scriptOf(text(written), STOP), request)).toEqual([text(written), STOP]);
  const response = { content: [said(written)], finishReason: 'stop' } as const;
  const model = prompted(generating(async () => response));
  expect(await model.generate(request, {})).toEqual(response);
});
