/** A call in a text never runs with lost, mixed or made-up arguments. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { Tool, ToolInput, type ToolCallResult } from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { startAgent } from '../loop/support/agent.js';
import { runToEnd } from '../loop/support/outcome.js';
import { found, prompted, read, said } from './prompt-calls.support.js';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['fatal', 'error', 'warn', 'log']));

const block = (content: string) => `<tool_call>${content}</tool_call>`;

interface Outcome {
  /** With what the tool was run. */
  readonly received: readonly unknown[];
  readonly results: readonly ToolCallResult[];
}

/** Every argument is optional, so that a lost one is not missed. */
async function outcomeOf(written: string, ...names: string[]): Promise<Outcome> {
  const received: unknown[] = [];
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  @Injectable()
  class Tools {
    @Tool({ description: 'Acts.', inputSchema: { type: 'object', properties } })
    act(@ToolInput() input: object) {
      received.push(input);
    }
  }
  const { agent } = await startAgent([Tools]);
  const { steps } = await runToEnd(agent, { model: prompted(scripted([written, 'So.'])) });
  return { received, results: steps.flatMap(({ toolResults }) => toolResults) };
}

describe('a call that cannot be read in one way only', () => {
  const ORDER = '{"order":"A-1"}';

  it.each([
    ['an id for its arguments', block('{"name":"act","id":"A-1"}'), 'A-1'],
    ['an id and another field', block('{"name":"act","id":"A-1","order":"B"}'), 'A-1'],
    ['a type for its arguments', block('{"name":"act","type":"gold"}'), 'gold'],
    ['a field beside', block(`{"name":"act","arguments":${ORDER},"amount":"5"}`), 'amount'],
    ['another action', block(`{"name":"act","action":"stop","arguments":${ORDER}}`), 'stop'],
    ['another type', block(`{"name":"act","type":"gold","arguments":${ORDER}}`), 'gold'],
    ['an id with fields', block(`{"name":"act","id":{"order":"B"},"arguments":{}}`), '"B"'],
    ['no comma', block(`{"name":"act","arguments":${ORDER} "amount":"5"}`), 'amount'],
    ['fields behind it', block(`{"name":"act","arguments":${ORDER}}, "amount":"5"`), 'amount'],
    ['a line behind it', block(`{"name":"act","arguments":${ORDER}}\namount: "5"`), 'amount'],
    ['a value behind a name', block('{"name":"act"}, "order":"A-1"'), 'A-1'],
    ['two keys', block(`{"name":"act","arguments":{},"parameters":${ORDER}}`), 'A-1'],
    ['a key twice', block(`{"name":"act","arguments":${ORDER},"arguments":{}}`), 'A-1'],
    ['two names', block('{"name":"act","tool":"act","order":"A-1"}'), 'A-1'],
    ['a name outside', block(`{"function":{"name":"act"},"arguments":${ORDER}}`), 'A-1'],
    ['fields around', block(`{"function":{"name":"act"},"order":"A-1"}`), 'A-1'],
    ['a broken object', block('{"name":"act","email":"a@b.c",}'), 'a@b.c'],
    ['no arguments behind their key', block('{"name":"act","arguments":}'), '"arguments":'],
    ['arguments cut off', '<tool_call>{"name":"act","arguments":', '"arguments":'],
    ['a cut object', block('{"name":"act","email":"a@b.c"'), 'a@b.c'],
    ['two keys, bare', `{"name":"act","arguments":{},"parameters":${ORDER}}`, 'A-1'],
    ['a key twice, bare', `{"name":"act","arguments":${ORDER},"arguments":{}}`, 'A-1'],
    ['another type, bare', `{"name":"act","type":"gold","arguments":${ORDER}}`, 'gold'],
    [
      'two keys, in a fence',
      `\`\`\`json\n{"name":"act","input":{},"args":${ORDER}}\n\`\`\``,
      'A-1',
    ],
    ['fields behind an input', `Action: act\nAction Input: ${ORDER}, "amount": "5"`, 'amount'],
    ['fields on its next line', `Action: act\nAction Input: ${ORDER}\n, "amount": "5"`, 'amount'],
    ['another object', `Action: act\nAction Input: ${ORDER} {"amount": "5"}`, 'amount'],
  ])('is not run, and the model is told what it wrote: %s', async (_kind, written, quoted) => {
    const names = ['order', 'amount', 'name', 'email', 'action', 'id', 'type'];
    const { received, results } = await outcomeOf(written, ...names);
    expect(received).toEqual([]);
    expect(results).toMatchObject([{ name: 'act', status: 'error' }]);
    expect(results[0].content).toContain(quoted);
  });

  it.each([
    ['an object', block('{"name":"find","id":"1"}'), '[{"name":"find","id":"1"}'],
    ['a broken one', block('{"name":"find","q":"x",}'), '[{"name":"find","q":"x",}'],
    ['one with more behind it', block('{"name":"find","id":"1"} x'), '[{"name":"find","id":"1"} x'],
    ['an input', 'Action: find\nAction Input: {"q":"x"}, "n": 1\nSo.', '{"q":"x"}, "n": 1'],
  ])('has arguments that are no JSON of an object: %s', async (_kind, written, args) => {
    expect((await read(written)).content.at(-1)).toEqual(found(args));
  });
});

describe('a call with fields in place of arguments', () => {
  it.each([
    ['name', block('{"name":"act","email":"a@b.c"}')],
    ['action', block('{"action":"act","email":"a@b.c"}')],
  ])('does not take the name of the tool for the argument `%s`', async (name, written) => {
    const { received } = await outcomeOf(written, name, 'email');
    expect(received).toEqual([{ email: 'a@b.c' }]);
  });

  it('keeps a field that is called like another key for the name', async () => {
    const { received } = await outcomeOf(block('{"name":"act","action":"stop"}'), 'action');
    expect(received).toEqual([{ action: 'stop' }]);
  });

  it('keeps the fields as they are written', async () => {
    const written = block('{ "n": 9007199254740993.10, "name": "find", "q": [ 1, "}" ] }');
    expect((await read(written)).content).toEqual([
      found('{"n": 9007199254740993.10, "q": [ 1, "}" ]}'),
    ]);
  });

  it('has none if there is nothing but the name', async () => {
    for (const json of ['{"name":"find"}', '{"type":"function","function":{"name":"find"}}']) {
      expect((await read(block(json))).content).toEqual([found('{}')]);
    }
  });
});

describe('a call that leaves no doubt', () => {
  it.each([
    ['an id', '{"id":"1","name":"act","arguments":{"order":"A-1"}}'],
    ['a number', '{"id":7,"name":"act","arguments":{"order":"A-1"}}'],
    [
      'the type of a call',
      '{"type":"function_call","name":"act","arguments":"{\\"order\\":\\"A-1\\"}"}',
    ],
    ['its name twice', '{"tool":"act","name":"act","arguments":{"order":"A-1"}}'],
    [
      'an id around it',
      '{"id":"1","type":"function","function":{"name":"act","arguments":{"order":"A-1"}}}',
    ],
  ])('runs with what has no meaning beside it: %s', async (_kind, json) => {
    for (const written of [json, block(json)]) {
      const { received } = await outcomeOf(written, 'order', 'id', 'type');
      expect(received).toEqual([{ order: 'A-1' }]);
    }
  });

  it.each(['"call_id":"1"', '"tool_call_id":"1"', '"index":0'])(
    'runs in a block with what would make it data elsewhere: %s',
    async (field) => {
      const json = `{${field},"name":"find","arguments":{"q":"x"}}`;
      expect((await read(block(json))).content).toEqual([found('{"q":"x"}')]);
      expect((await read(json)).content).toEqual([said(json)]);
    },
  );

  it.each([
    ['prose', block('{"name":"act","arguments":{"order":"A-1"}}\nNow I wait for it.')],
    ['brackets', block('{"name":"act","arguments":{"order":"A-1"}}}]')],
    ['a token', '<tool_call>{"name":"act","arguments":{"order":"A-1"}}<|im_end|>'],
    ['prose on its line', 'Action: act\nAction Input: {"order":"A-1"} Now I wait.\nSo.'],
  ])('runs with words behind it that are no arguments: %s', async (_kind, written) => {
    expect((await outcomeOf(written, 'order')).received).toEqual([{ order: 'A-1' }]);
  });

  it('may be one of several with commas between them', async () => {
    const json = '{"name":"act","arguments":{"order":"A-1"}}';
    const { received } = await outcomeOf(block(`${json},\n${json}`), 'order');
    expect(received).toHaveLength(2);
  });

  it('is data if a key of it is unknown and nothing marks it', async () => {
    const written = '{"name":"find","arguments":{},"parameters":{},"city":"Paris"}';
    expect((await read(written)).content).toEqual([said(written)]);
  });
});

describe('behind the object of an `Action Input:`', () => {
  const CALL = 'Action: find\nAction Input: {"q": "x"}';

  it.each([
    ['blanks', `${CALL}  \n\n`, []],
    ['text on the next line', `${CALL} \nSo.`, [said(' \nSo.')]],
    ['a made-up result', `${CALL} Observation: x`, []],
    ['a made-up result in tags', `${CALL} <tool_response>x`, []],
    ['a final answer', `${CALL} Final Answer: Yes.`, [said('Yes.')]],
    ['half a label', `${CALL}\nFin`, [said('\nFin')]],
  ])('nothing belongs to it: %s', async (_kind, written, shown) => {
    expect((await read(written)).content).toEqual([...shown, found()]);
  });

  it('another call may follow at once', async () => {
    const next = '{"name": "now", "arguments": {}}';
    const forms = [` <tool_call>${next}</tool_call>`, ' Action: now\nAction Input: {}'];
    for (const written of forms) {
      expect((await read(CALL + written)).content).toEqual([found(), found('{}', 'now')]);
    }
  });
});
