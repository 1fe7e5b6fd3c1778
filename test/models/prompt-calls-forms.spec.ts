/** The forms in which a model without tool calling writes its calls. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { AssistantPart } from 'nestjs-agent-tools';
import {
  ARGS,
  BLOCK,
  CALL,
  found,
  generated,
  read,
  said,
  streamed,
  thought,
} from './prompt-calls.support.js';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['fatal', 'error', 'warn', 'log']));

const NOW = '{"name": "now", "arguments": {}}';
const REACT = `Action: find\nAction Input: ${ARGS}`;

describe('an answer that is a call', () => {
  it.each<[string, string, AssistantPart[]]>([
    ['a block', BLOCK, [found()]],
    ['a block without an end', `<tool_call>${CALL}`, [found()]],
    ['several blocks', `${BLOCK}\n<tool_call>${NOW}</tool_call>`, [found(), found('{}', 'now')]],
    ['a block that begins in another', `<tool_call>${CALL}${BLOCK}`, [found(), found()]],
    ['several in a block', `<tool_call>${CALL}\n${NOW}</tool_call>`, [found(), found('{}', 'now')]],
    [
      'a list in a block',
      `<tool_call>[${CALL}, ${NOW}]</tool_call>`,
      [found(), found('{}', 'now')],
    ],
    ['a block in a fence', `\`\`\`xml\n${BLOCK}\n\`\`\``, [found()]],
    ['a block with a name only', '<tool_call>{"name": "now"}</tool_call>', [found('{}', 'now')]],
    ['bare JSON', CALL, [found()]],
    ['bare JSON with blanks', `\n  ${CALL}\n\n`, [found()]],
    ['several bare ones', `${CALL}\n${NOW}`, [found(), found('{}', 'now')]],
    ['a bare list', `[${CALL}, ${NOW}]`, [found(), found('{}', 'now')]],
    ['a fence', `\`\`\`json\n${CALL}\n\`\`\``, [found()]],
    ['a fence without a language', `\`\`\`\n${CALL}\`\`\`\n`, [found()]],
    ['a fence without an end', `\`\`\`json\n${CALL}\n`, [found()]],
    ['a list in a fence', `\`\`\`json\n[${CALL}, ${NOW}]\n\`\`\``, [found(), found('{}', 'now')]],
    ['several in a fence', `\`\`\`json\n${CALL}\n${NOW}\n\`\`\``, [found(), found('{}', 'now')]],
    [
      'two fences',
      `\`\`\`json\n${CALL}\n\`\`\`\n\`\`\`json\n${NOW}\n\`\`\``,
      [found(), found('{}', 'now')],
    ],
    ['ReAct', REACT, [found()]],
    ['ReAct with an empty line', `Action: find\n\nAction Input: ${ARGS}\n`, [found()]],
    ['ReAct with marks', `Action: \`find\`\nAction Input:\n${ARGS}`, [found()]],
    ['ReAct with a fence', `Action: find\nAction Input:\n\`\`\`json\n${ARGS}\n\`\`\``, [found()]],
    ['two of ReAct', `${REACT}\n\nAction: now\nAction Input: {}`, [found(), found('{}', 'now')]],
  ])('is one: %s', async (_form, written, content) => {
    expect(await read(written)).toEqual({ content, finishReason: 'tool-calls' });
  });

  it.each([
    ['name and parameters', '{"name":"find","parameters":{"q": "x"}}'],
    ['name and args', '{"name":"find","args":{"q": "x"}}'],
    ['name and input', '{"name":"find","input":{"q": "x"}}'],
    ['tool', '{"tool":"find","arguments":{"q": "x"}}'],
    ['tool and tool_input', '{"tool":"find","tool_input":{"q": "x"}}'],
    ['action', '{"action": "find", "action_input": {"q": "x"}}'],
    ['function', '{"type":"function","function":{"name":"find","arguments":{"q": "x"}}}'],
    ['arguments as text', '{"name":"find","arguments":"{\\"q\\": \\"x\\"}"}'],
    ['arguments first', '{"arguments": {"q": "x"}, "name": "find"}'],
    ['an id', '{"id":"1","name":"find","arguments":{"q": "x"}}'],
  ])('may have the keys: %s', async (_keys, json) => {
    const expected = { content: [found()], finishReason: 'tool-calls' };
    expect(await read(json)).toEqual(expected);
    expect(await read(`<tool_call>${json}</tool_call>`)).toEqual(expected);
  });

  it('keeps its arguments as they are written', async () => {
    const args = '{ "n": 9007199254740993.10, "q": "\\u0041</tool_response>```\\"}" }';
    const json = `{"name":"find","arguments":${args}}`;
    const forms = [json, `<tool_call>${json}</tool_call>`, `\`\`\`\n${json}\n\`\`\``];
    for (const written of [...forms, `Action: find\nAction Input: ${args}`]) {
      expect((await read(written)).content).toEqual([found(args)]);
    }
  });
});

describe('broken JSON', () => {
  it.each([
    ['a brace too few', '<tool_call>{"name": "find", "arguments": {"q": "x"}</tool_call>', ARGS],
    ['a brace too many', '<tool_call>{"name": "find", "arguments": {"q": "x"}}}</tool_call>', ARGS],
    [
      'a comma too many',
      '<tool_call>{"name":"find","arguments":{"q":"x",}}</tool_call>',
      '{"q":"x",}',
    ],
    ['an open string', '<tool_call>{"name":"find","arguments":{"q":"x}}</tool_call>', '{"q":"x}}'],
    ['other quotes', "<tool_call>{'name':'find','arguments':{'q':'x'}}</tool_call>", "{'q':'x'}"],
    ['no arguments', '<tool_call>{"name": "find", </tool_call>', '[{"name": "find",'],
    ['fields beside the name', '<tool_call>{"name":"find","q":"x"}</tool_call>', '{"q":"x"}'],
    ['an open object', 'Action: find\nAction Input: {"q": "x"', '{"q": "x"'],
    ['an open string of ReAct', 'Action: find\nAction Input: {"q": "x\nObservation: y', '{"q": "x'],
    ['no JSON', 'Action: find\nAction Input: x and y\nObservation: none', 'x and y'],
    ['nothing', 'Action: find\nAction Input:\nObservation: none', '{}'],
  ])('is behind a marker still a call, with its text: %s', async (_kind, written, args) => {
    expect(await read(written)).toEqual({ content: [found(args)], finishReason: 'tool-calls' });
  });

  it.each([
    '{"name": "find", "arguments": {"q": ',
    '{"name": "find", "arguments": {"q": "x",}}',
    '{"name": "find", "arguments": {q: 1}} so',
    '```json\n{"name": "find", "arguments": {"q": "x"}\n```',
    `[${CALL}`,
    '{"name": "find", "arguments": {"q": "a\nb"}}',
  ])('is text without a marker: %j', async (written) => {
    expect(await read(written)).toEqual({ content: [said(written)], finishReason: 'stop' });
  });
});

describe('a text that only looks like a call', () => {
  it.each([
    ['an unknown tool', '{"name": "delete_all", "arguments": {}}'],
    ['an unknown tool in a block', '<tool_call>{"name": "nope", "arguments": {}}</tool_call>'],
    ['an unknown tool in a fence', '```json\n{"name": "nope", "arguments": {}}\n```'],
    ['an unknown tool of ReAct', `Action: nope\nAction Input: {}\nObservation: it is so.`],
    ['a name of every object', '<tool_call>{"name": "constructor", "arguments": {}}</tool_call>'],
    ['an unknown tool beside a known one', `[${CALL}, {"name": "nope", "arguments": {}}]`],
    ['bare JSON with text behind it', `${CALL} Shall I?`],
    ['bare JSON in a sentence', `Write \`${CALL}\` to call it.`],
    ['code', '```js\nconst x = {"name": "find"};\n```'],
    ['a call in other code', `\`\`\`python\n${CALL}\n\`\`\``],
    ['code beside a call', `\`\`\`json\n${CALL}\nfoo();\n\`\`\``],
    ['data', '{"name": "find", "arguments": {}, "city": "Paris"}'],
    ['data with a name', '{"name": "find", "input": "a text"}'],
    ['the description of a tool', '{"name":"find","parameters":{"type":"object","properties":{}}}'],
    ['JSON of another kind', '{"city": "Paris"} [1, 2] [{"a": 1}] {} [] [[{"name": 1}]]'],
    ['an action', 'Issue: broken.\nAction: find\nOwner: Bob'],
    ['an action at the end', 'Issue: broken.\nAction: find'],
    ['an input without an action', `Action Input: ${ARGS}`],
    ['labels within a line', `See Action: find and Thought: x and Final Answer: y`],
    ['an observation', 'We heated it.\nObservation: it boiled.\nThat is all.'],
    ['an observation behind an action', 'Action: heat it\nObservation: it boiled.'],
    ['half a tag', 'Look: <tool_'],
    ['other tags', '<tool_box>hammer</tool_box> <b>x</b> a < b <<'],
    ['half a label', 'Fine.\nThough'],
    ['an empty block', '<tool_call></tool_call>'],
    ['a block of text', '<tool_call>find x</tool_call> and on'],
    ['fences', '``````\n```\n````'],
    ['blanks', ' \n '],
    ['nothing', ''],
  ])('stays as it is: %s', async (_kind, written) => {
    const content = written === '' ? [] : [said(written)];
    expect(await read(written)).toEqual({ content, finishReason: 'stop' });
  });
});

describe('text around calls', () => {
  it.each<[string, string, AssistantPart[]]>([
    ['before a block', `Let me look. ${BLOCK}`, [said('Let me look. '), found()]],
    ['between blocks', `A.\n${BLOCK}\nB.\n${BLOCK}\n`, [said('A.\n\nB.\n'), found(), found()]],
    ['before bare JSON', `Here: ${CALL}`, [said('Here: '), found()]],
    [
      'around a fence',
      `First:\n\`\`\`json\n${CALL}\n\`\`\`\nWait.`,
      [said('First:\n\nWait.'), found()],
    ],
    ['behind an input', `${REACT}\nI wait.`, [said('\nI wait.'), found()]],
    [
      'beside a block that is none',
      `<tool_call>{"name":"nope","arguments":{}}</tool_call>${BLOCK}`,
      [said('<tool_call>{"name":"nope","arguments":{}}</tool_call>'), found()],
    ],
    ['an open brace before it', `{"name": a ${BLOCK}`, [said('{"name": a '), found()]],
    ['bare JSON before a block', `${CALL} or ${BLOCK}`, [said(`${CALL} or `), found()]],
  ])('stays: %s', async (_place, written, content) => {
    expect(await read(written)).toEqual({ content, finishReason: 'tool-calls' });
  });
});

describe('the ReAct form', () => {
  it('shows thoughts as reasoning', async () => {
    expect(await read(`Thought: I must look.\n${REACT}\n`)).toEqual({
      content: [thought('I must look.'), found()],
      finishReason: 'tool-calls',
    });
  });

  it('shows the final answer without its label', async () => {
    const written = 'Thought: I know it now.\n\nFinal Answer: It was shipped.\n\nOn Monday.';
    expect(await read(written)).toEqual({
      content: [thought('I know it now.'), said('It was shipped.\n\nOn Monday.')],
      finishReason: 'stop',
    });
  });

  it('shows an answer that has no label behind a thought', async () => {
    expect((await read('Thought:\n I know it now.\nIt was shipped.')).content).toEqual([
      thought('I know it now.'),
      said('It was shipped.'),
    ]);
  });

  it('reads no labels in the final answer', async () => {
    const answer = `Steps:\nThought: think.\nAction: find\nAction Input: {}\nObservation: see.`;
    expect((await read(`Final Answer: ${answer}`)).content).toEqual([said(answer)]);
  });

  it('calls a tool without an input before a result, or at the end of an answer with thoughts', async () => {
    const expected = [thought('Time.'), found('{}', 'now')];
    expect((await read('Thought: Time.\nAction: now\nObservation: 12:00')).content).toEqual(
      expected,
    );
    expect((await read('Thought: Time.\nAction: now\n')).content).toEqual(expected);
    expect((await read('Thought: Time.\nAction: now')).content).toEqual(expected);
  });

  it('goes back to text behind a call in a thought', async () => {
    expect((await read(`Thought: I look. ${BLOCK}\nA moment.`)).content).toEqual([
      thought('I look. '),
      said('\nA moment.'),
      found(),
    ]);
  });
});

describe('a made-up result', () => {
  it.each<[string, string, AssistantPart[]]>([
    ['of ReAct', `${REACT}\nObservation: found\nThought: Good.\nFinal Answer: x`, [found()]],
    ['behind a block', `${BLOCK}\n<tool_response>\n{"name"`, [found()]],
    ['behind an open block', `<tool_call>${CALL}\n<tool_response>x`, [found()]],
    ['behind bare JSON', `${CALL}\n<tool_response>x`, [found()]],
    ['behind bare JSON, as an observation', `${CALL}\nObservation: x`, [found()]],
    ['behind a fence', `\`\`\`json\n${CALL}\n\`\`\`\nObservation: x`, [found()]],
    ['in a fence', `\`\`\`json\n${CALL}\n<tool_response>x`, [found()]],
    ['behind text', `${BLOCK} A moment.\nObservation: x`, [said(' A moment.\n'), found()]],
  ])('is dropped with all that follows: %s', async (_place, written, content) => {
    expect(await read(written)).toEqual({ content, finishReason: 'tool-calls' });
    expect((await read(written, 'length')).finishReason).toBe('tool-calls');
  });

  it('without a call ends the text', async () => {
    expect(await read('Well, <tool_response>x')).toEqual({
      content: [said('Well, ')],
      finishReason: 'stop',
    });
  });

  it('is not one within an argument', async () => {
    const args = '{"q": "<tool_response>"}';
    const json = `{"name":"find","arguments":${args}}`;
    for (const written of [json, `<tool_call>${json}</tool_call>`]) {
      expect((await read(written)).content).toEqual([found(args)]);
    }
    expect((await read(`Action: find\nAction Input: ${args}`)).content).toEqual([found(args)]);
  });
});

describe('the finish reason', () => {
  it('stays one with which it is not safe to run calls', async () => {
    expect(await generated(BLOCK, 'length')).toMatchObject({
      content: [found()],
      finishReason: 'length',
    });
    expect((await streamed([BLOCK], 'content-filter')).finishReason).toBe('content-filter');
  });
});
