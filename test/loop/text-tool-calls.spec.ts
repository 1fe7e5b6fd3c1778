/** Calls that a local model writes as text: fault 83 of public agent loops. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import {
  ChatStreamAssembler,
  ChatStreamException,
  withToolCalling,
  Tool,
  ToolParam,
  type AssistantPart,
  type ChatDelta,
  type ChatRequest,
  type ChatResponse,
  type ChatTool,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { startAgent } from './support/agent.js';
import { leaveAt, streamedText } from './support/events.js';
import { STOP, streaming, text } from './support/models.js';
import { runToEnd, streamToEnd } from './support/outcome.js';
import { Random } from './support/random.js';

const log = { log: jest.fn(), warn: jest.fn(), error: jest.fn(), debug: jest.fn() };

beforeEach(() => {
  log.warn.mockClear();
  Logger.overrideLogger(log);
});

afterEach(() => Logger.overrideLogger(false));

const tool = (name: string): ChatTool => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties: {} },
});

const REQUEST: ChatRequest = { messages: [], tools: [tool('find'), tool('now')] };

const CALL = '{"name": "find", "arguments": {"q": "x"}}';
const BLOCK = `<tool_call>\n${CALL}\n</tool_call>`;

/** A text as its smallest deltas. */
const letters = (written: string) => written.split('').map(text);

/** Ids are made up, so they cannot be compared. */
function plain({ content, ...rest }: ChatResponse): ChatResponse {
  return {
    content: content.map((part) => (part.type === 'tool-call' ? { ...part, id: '' } : part)),
    ...rest,
  };
}

async function generated(
  written: string | AssistantPart[],
  request = REQUEST,
  finishReason?: 'length',
) {
  const content =
    typeof written === 'string' ? [{ type: 'text' as const, text: written }] : written;
  const model = withToolCalling(scripted([{ content, finishReason: finishReason ?? 'stop' }]), {
    salvage: true,
  });
  return plain(await model.generate(request, {}));
}

async function deltasOf(deltas: ChatDelta[], request = REQUEST): Promise<ChatDelta[]> {
  const model = withToolCalling(scripted([{ deltas }]), { salvage: true });
  const seen: ChatDelta[] = [];
  for await (const delta of model.stream(request, {})) seen.push(delta);
  return seen;
}

async function streamed(deltas: ChatDelta[], request = REQUEST): Promise<ChatResponse> {
  const assembler = new ChatStreamAssembler();
  for (const delta of await deltasOf(deltas, request)) assembler.push(delta);
  return plain(assembler.finish());
}

/** What is shown before the model has finished, piece by piece. */
async function shownAfter(...pieces: string[]): Promise<string[]> {
  const shown: string[] = [];
  let now = '';
  const inner = streaming(async function* () {
    for (const piece of pieces) {
      yield text(piece);
      shown.push(now);
    }
    yield STOP;
  });
  for await (const delta of withToolCalling(inner, { salvage: true }).stream(REQUEST, {})) {
    if (delta.type === 'text') now += delta.text;
  }
  return shown;
}

const found = (args = '{"q": "x"}', name = 'find') => ({
  type: 'tool-call',
  id: '',
  name,
  arguments: args,
});

/** Generated and streamed, in one piece, in single characters and in random pieces. */
async function read(written: string): Promise<ChatResponse> {
  const response = await generated(written);
  const random = new Random(7);
  const ways = [[written], written.split(''), ...random.list(5, 5, () => random.split(written))];
  for (const pieces of ways) {
    expect(await streamed([...pieces.map(text), STOP])).toEqual(response);
  }
  return response;
}

describe('a text that is nothing but a call', () => {
  it.each([
    ['with arguments', CALL],
    ['with parameters', '{"name": "find", "parameters": {"q": "x"}}'],
    ['with arguments as JSON text', '{"name":"find","arguments":"{\\"q\\": \\"x\\"}"}'],
    ['with the fields the other way round', '{"arguments": {"q": "x"}, "name": "find"}'],
    ['with a type and an id', '{"type":"function","id":"1","name":"find","parameters":{"q": "x"}}'],
    ['with blanks around it', `\n  ${CALL}\n\n`],
    ['in a code fence', `\`\`\`\n${CALL}\n\`\`\``],
    ['in a code fence with a language', `\`\`\`json\n${CALL}\n\`\`\`\n`],
    ['in a code fence with another word', `\`\`\`tool_call\n${CALL}\`\`\``],
    ['in a block', BLOCK],
    ['in a block in a code fence', `\`\`\`xml\n${BLOCK}\n\`\`\``],
  ])('becomes a call: %s', async (_kind, written) => {
    expect(await read(written)).toEqual({ content: [found()], finishReason: 'tool-calls' });
  });

  it('becomes a call whatever the arguments hold', async () => {
    const args = { q: '<tool_response> ``` </tool_call> } {"name":' };
    const written = JSON.stringify({ name: 'find', arguments: args });
    expect((await read(written)).content).toEqual([found(JSON.stringify(args))]);
  });
});

describe('a text that only looks like a call', () => {
  it.each([
    ['an unknown tool', '{"name": "delete_all", "arguments": {}}'],
    ['an unknown tool in a block', '<tool_call>{"name": "nope", "arguments": {}}</tool_call>'],
    ['a name of every object', '{"name": "constructor", "arguments": {}}'],
    ['something before it', `Here: ${CALL}`],
    ['something after it', `${CALL} Shall I?`],
    ['two of them', `${CALL}\n${CALL}`],
    ['no arguments', '{"name": "find"}'],
    [
      'the description of a tool',
      '{"name":"find","description":"d","parameters":{"type":"object"}}',
    ],
    ['no object', '["find"]'],
    ['a name that is none', '{"name": 7, "arguments": {}}'],
    ['broken JSON', '{"name": "find", "arguments": {"q": '],
    ['broken JSON in a block', '<tool_call>{"name": "find", </tool_call>'],
    ['a block without an end', `<tool_call>${CALL}`],
    ['half a tag', 'Look: <tool_'],
    ['an empty block', '<tool_call></tool_call>'],
    ['other markup', '<tool_box>hammer</tool_box> <b>x</b> a < b'],
    ['a fence of code', '```js\nconst x = {"name": "find"};\n```'],
    ['two fences', `\`\`\`json\n${CALL}\n\`\`\`\nor\n\`\`\`json\n${CALL}\n\`\`\``],
    ['an open fence', `\`\`\`json\n${CALL}`],
    ['a fence only', '``````'],
    ['JSON data', '{"city": "Paris", "name": "find", "arguments": {}}'],
    ['blanks', ' \n '],
  ])('stays as it is: %s', async (_kind, written) => {
    expect(await read(written)).toEqual({
      content: [{ type: 'text', text: written }],
      finishReason: 'stop',
    });
  });

  it('stays as it is if the request has no tools', async () => {
    const without: ChatRequest = { messages: [] };
    const kept = { content: [{ type: 'text', text: BLOCK }], finishReason: 'stop' };
    expect(await generated(BLOCK, without)).toEqual(kept);
    expect(await streamed([...letters(BLOCK), STOP], without)).toEqual(kept);
  });
});

describe('call blocks in a text', () => {
  it('become calls, and the text around them stays, but for blanks', async () => {
    const second = '<tool_call>{"name":"now","arguments":{}}</tool_call>';
    const written = `\nLet me look.\n${BLOCK}\n${second}\nA moment.\n`;
    expect(await read(written)).toEqual({
      content: [
        { type: 'text', text: '\nLet me look.\n\nA moment.\n' },
        found(),
        found('{}', 'now'),
      ],
      finishReason: 'tool-calls',
    });
  });

  it('beside blocks that are none become calls, and those stay text', async () => {
    const none = '<tool_call>{"name":"nope","arguments":{}}</tool_call>';
    expect((await read(`${none}${BLOCK}`)).content).toEqual([
      { type: 'text', text: none },
      found(),
    ]);
    expect((await read(`${BLOCK}${none}`)).content).toEqual([
      { type: 'text', text: none },
      found(),
    ]);
  });
});

describe('an answer with native calls', () => {
  const native: AssistantPart = { type: 'tool-call', id: '', name: 'now', arguments: '{}' };
  const nativeDelta: ChatDelta = {
    type: 'tool-call',
    index: 0,
    id: 'c1',
    name: 'now',
    arguments: '{}',
  };

  it.each([CALL, BLOCK, `Look: ${BLOCK} so.`, `\`\`\`json\n${CALL}\n\`\`\``])(
    'keeps its text as it is: %j',
    async (written) => {
      const kept = { content: [{ type: 'text', text: written }, native], finishReason: 'stop' };
      expect(await generated([{ type: 'text', text: written }, native])).toEqual(kept);
      expect(await streamed([...letters(written), nativeDelta, STOP])).toEqual(kept);
      expect(await streamed([nativeDelta, ...letters(written), STOP])).toEqual(kept);
    },
  );

  it('shows at once what was held back for them', async () => {
    const seen = await deltasOf([text(BLOCK), nativeDelta, text('More.'), STOP]);
    expect(seen).toEqual([text(BLOCK), nativeDelta, text('More.'), STOP]);
  });

  it('is not made by a leftover piece without a name', async () => {
    const leftover: ChatDelta = { type: 'tool-call', index: 1, id: '' };
    expect((await streamed([leftover, text(BLOCK), STOP])).content).toEqual([found()]);
  });
});

describe('a made-up result', () => {
  const madeUp = '<tool_response>{"temp": 99}</tool_response> It is 99 degrees.';

  it.each<[string, string, AssistantPart[]]>([
    ['after a block', `${BLOCK}\n${madeUp}`, [found() as AssistantPart]],
    ['after a call', `${CALL}\n${madeUp}`, [found() as AssistantPart]],
    [
      'after a call in a fence',
      `\`\`\`json\n${CALL}\n\`\`\`\n${madeUp}`,
      [found() as AssistantPart],
    ],
    ['after text', `Well, ${madeUp}`, [{ type: 'text', text: 'Well, ' }]],
    ['between blocks', `${BLOCK}${madeUp}${BLOCK}`, [found() as AssistantPart]],
    [
      'in a block that is no call',
      `<tool_call>find x${madeUp}</tool_call>`,
      [{ type: 'text', text: '<tool_call>find x' }],
    ],
    [
      'in a block without an end',
      `<tool_call>${CALL}${madeUp}`,
      [{ type: 'text', text: `<tool_call>${CALL}` }],
    ],
  ])('is cut off with all that follows: %s', async (_kind, written, content) => {
    expect((await read(written)).content).toEqual(content);
  });

  it('is logged as one warning for each answer', async () => {
    await generated(`${BLOCK}${madeUp}${madeUp}`);
    expect(log.warn).toHaveBeenCalledTimes(1);
    expect(String(log.warn.mock.calls[0][0])).toContain('"scripted" made up the result of a tool');
    await streamed([text(`${BLOCK}${madeUp}`), text(madeUp), STOP]);
    await streamed([...letters(`Well, ${madeUp}`), STOP]);
    expect(log.warn).toHaveBeenCalledTimes(3);
  });

  it('is cut off beside native calls, too', async () => {
    const native: AssistantPart = { type: 'tool-call', id: '', name: 'now', arguments: '{}' };
    const kept = { content: [{ type: 'text', text: BLOCK }, native], finishReason: 'stop' };
    const delta: ChatDelta = { ...native, index: 0, id: 'c1' };
    expect(await generated([{ type: 'text', text: BLOCK + madeUp }, native])).toEqual(kept);
    expect(await streamed([text(BLOCK + madeUp), delta, STOP])).toEqual(kept);
  });

  it('is not seen where there is none', async () => {
    await read(`${BLOCK} and <tool_respond> and tool_response`);
    expect(log.warn).not.toHaveBeenCalled();
  });
});

describe('streaming', () => {
  it('shows text at once', async () => {
    expect(await shownAfter('He', 'llo ', 'a <', ' b')).toEqual([
      'He',
      'Hello ',
      'Hello a ',
      'Hello a < b',
    ]);
  });

  it('holds back only what may still be a tag', async () => {
    expect(await shownAfter('Hi <to', 'ol_bo', 'x>', ' <tool_ca', 'ke>')).toEqual([
      'Hi ',
      'Hi <tool_bo',
      'Hi <tool_box>',
      'Hi <tool_box> ',
      'Hi <tool_box> <tool_cake>',
    ]);
  });

  it('shows a block that turned out to be none, and what follows', async () => {
    expect(await shownAfter('<tool_call>find', ' x</tool_', 'call>', ' and', ' so')).toEqual([
      '',
      '',
      '<tool_call>find x</tool_call>',
      '<tool_call>find x</tool_call> and',
      '<tool_call>find x</tool_call> and so',
    ]);
  });

  it('shows JSON that is no call from its first key on', async () => {
    expect(await shownAfter('{', ' "c', 'ity"', ': "Paris"')).toEqual([
      '',
      '{ "c',
      '{ "city"',
      '{ "city": "Paris"',
    ]);
  });

  it('shows code in a fence from its first word on', async () => {
    expect(await shownAfter('``', '`py', 'thon\n', 'print', '(1)')).toEqual([
      '',
      '',
      '',
      '```python\nprint',
      '```python\nprint(1)',
    ]);
  });

  it('shows nothing of a call', async () => {
    const pieces = `Look.${BLOCK}`.split('');
    expect((await shownAfter(...pieces)).at(-1)).toBe('Look.');
    expect((await shownAfter(...CALL.split(''))).at(-1)).toBe('');
  });

  it('passes reasoning, usage and what the provider wants back', async () => {
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    const providerMetadata = { p: { s: 1 } };
    const seen = await deltasOf([
      { type: 'reasoning', text: `Hm. ${BLOCK}` },
      { ...text(CALL), providerMetadata } as ChatDelta,
      { type: 'usage', usage },
      STOP,
    ]);
    expect(seen).toEqual([
      { type: 'reasoning', text: `Hm. ${BLOCK}` },
      { type: 'text', text: '', providerMetadata },
      { type: 'usage', usage },
      { type: 'tool-call', index: 0, name: 'find', arguments: '{"q": "x"}' },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  it('keeps a reason with which it is not safe to run calls', async () => {
    expect((await generated(BLOCK, REQUEST, 'length')).finishReason).toBe('length');
    const { finishReason } = await streamed([text(BLOCK), { type: 'finish', reason: 'length' }]);
    expect(finishReason).toBe('length');
  });

  it('makes no calls of an answer that broke off, and keeps its text', async () => {
    const seen = await deltasOf([text(BLOCK)]);
    expect(seen).toEqual([text(BLOCK)]);
    await expect(streamed([text(BLOCK)])).rejects.toThrow(ChatStreamException);
  });

  it('keeps the text of an answer whose stream throws, then throws', async () => {
    const inner = streaming(async function* () {
      yield text(`Look: ${BLOCK}`);
      throw new Error('terminated');
    });
    let seen = '';
    const reading = (async () => {
      for await (const delta of withToolCalling(inner, { salvage: true }).stream(REQUEST, {})) {
        if (delta.type === 'text') seen += delta.text;
      }
    })();
    await expect(reading).rejects.toThrow('terminated');
    expect(seen).toBe(`Look: ${BLOCK}`);
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
    for await (const delta of withToolCalling(inner, { salvage: true }).stream(REQUEST, {})) {
      expect(delta).toEqual(text('Hello '));
      break;
    }
    expect(isLeft).toBe(true);
  });

  it('takes linear time for a long block', async () => {
    const pieces = Array.from({ length: 20_000 }, () => text('abcd'.repeat(50)));
    const begin = text('<tool_call>{"name":"find","arguments":{"q":"');
    const started = performance.now();
    const { finishReason } = await streamed([begin, ...pieces, text('"}}</tool_call>'), STOP]);
    expect(finishReason).toBe('tool-calls');
    // Some 50 ms; looking at all of it again with each piece takes more than 10 seconds.
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe('generate() and stream()', () => {
  const PIECES = [
    '{',
    '}',
    '"name"',
    '{"name": "',
    CALL,
    BLOCK,
    '```',
    '```json\n',
    '\n```',
    '<',
    '<tool_',
    '<tool_call>',
    '</tool_call>',
    '<tool_response>',
    '</tool_response>',
    '<tool_call>{"name":"nope","arguments":{}}</tool_call>',
    '<tool_call>{"name":"find","arguments":{"q":"<tool_response>"}}</tool_call>',
    'Hello. ',
    'x',
    ' ',
    '\n',
  ];

  it('give the same for any text in any pieces', async () => {
    for (let seed = 1; seed <= 1_000; seed++) {
      const random = new Random(seed);
      const written = random.list(1, 6, () => random.pick(PIECES)).join('');
      const whole = await generated(written).then(comparable);
      const pieces = random.split(written, random.pick([1, 3, 12, 40]));
      const inPieces = await streamed([...pieces.map(text), STOP]).then(comparable);
      expect({ seed, written, ...inPieces }).toEqual({ seed, written, ...whole });
    }
  });

  function comparable({ content, finishReason }: ChatResponse) {
    return {
      content: content.filter((part) => part.type !== 'text' || part.text !== ''),
      finishReason,
    };
  }
});

describe('an agent with such a model', () => {
  @Injectable()
  class Tools {
    @Tool('Finds.')
    find(@ToolParam('q') q: string) {
      return `found ${q}`;
    }
  }

  it('runs the calls and shows no markup', async () => {
    const turns = [`Let me look. ${BLOCK}<tool_response>made up`, CALL, 'Here you are.'];
    const { agent } = await startAgent([Tools]);
    const ran = await runToEnd(agent, {
      model: withToolCalling(scripted(turns), { salvage: true }),
    });
    const watched = await streamToEnd(agent, {
      model: withToolCalling(scripted(turns), { salvage: true }),
    });
    for (const { status, text: answer, steps } of [ran, watched]) {
      expect([status, answer]).toEqual(['completed', 'Here you are.']);
      expect(steps.flatMap(({ toolResults }) => toolResults)).toMatchObject([
        { status: 'success', content: 'found x' },
        { status: 'success', content: 'found x' },
      ]);
    }
    expect(streamedText(watched.events)).toBe('Let me look. Here you are.');
  });

  it('does without the wrapper take the markup for text: it is opt-in', async () => {
    const { agent } = await startAgent([Tools], { model: scripted([CALL]) });
    expect((await agent.run('Go.')).text).toBe(CALL);
  });

  it('reaches the model that is wrapped with its abort', async () => {
    const reasons: unknown[] = [];
    const inner = streaming(async function* (_request, { signal }) {
      signal?.addEventListener('abort', () => reasons.push(signal.reason));
      yield text('Hello ');
      yield text('world');
    });
    const { agent } = await startAgent([Tools], {
      model: withToolCalling(inner, { salvage: true }),
    });
    await leaveAt(agent.stream('Go.'), 'text-delta');
    expect(reasons).toMatchObject([{ name: 'AbortError' }]);
  });

  it('has the name of the model that is wrapped', () => {
    expect(withToolCalling(scripted([]), { salvage: true }).name).toBe('scripted');
  });
});
