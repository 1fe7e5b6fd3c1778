/** Where systems of tools go wrong silently, and what happens here instead: how arguments are read. */
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, ToolInput, ToolParam, type ChatDelta } from 'nestjs-agent-tools';
import { scripted, type ScriptedTurn } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { callsOf, resultsOf } from '../loop/support/messages.js';
import { readings, start } from './support/start.js';

@Injectable()
class ValueTools {
  readonly received: unknown[] = [];

  @Tool('Takes a number.')
  number(@ToolParam('v') v: number) {
    this.received.push(v);
  }

  @Tool('Takes an integer.')
  integer(@ToolParam('v', { type: 'integer' }) v: number) {
    this.received.push(v);
  }

  @Tool('Takes a text.')
  text(@ToolParam('v') v: string) {
    this.received.push(v);
  }

  @Tool('Takes a boolean.')
  boolean(@ToolParam('v') v: boolean) {
    this.received.push(v);
  }

  @Tool({ description: 'Takes anything.', inputSchema: z.object({ v: z.unknown() }) })
  anything(@ToolInput() { v }: { v?: unknown }) {
    this.received.push(v);
  }

  @Tool('Takes a list.')
  list(@ToolParam('v', { type: [Number] }) v: number[]) {
    this.received.push(v);
  }

  @Tool('Takes what there is.')
  optional(
    @ToolParam('v', { schema: z.number(), required: false }) v?: number,
    @ToolParam('on', { schema: z.boolean(), required: false }) on?: boolean,
  ) {
    this.received.push({ v, on });
  }
}

/** Lets the model send this text as arguments. */
async function send(tool: string, args: string) {
  const { app, step } = await start({ providers: [ValueTools] });
  const { model, result } = await step([{ tool, arguments: args }]);
  const [reading] = readings(model);
  const [call] = callsOf(result.messages);
  return { received: app.get(ValueTools).received, reading, call };
}

describe('a number', () => {
  it.each(['-0.5', '-1e-7', '-19.99', '-3.4e38', '-5e-324', '-1.7976931348623157e308'])(
    'may be negative and have a fraction: %s',
    async (text) => {
      expect((await send('number', `{"v": ${text}}`)).received).toEqual([Number(text)]);
      expect((await send('number', `{"v": "${text}"}`)).received).toEqual([Number(text)]);
    },
  );

  it.each(['0.1', '1.005', '123456789.12345679', '9007199254740991', '-9007199254740991'])(
    'is the one that was sent: %s',
    async (text) => {
      const { received } = await send('number', `{"v": ${text}}`);
      expect(received.map(String)).toEqual([text]);
    },
  );

  it.each(['9007199254740993', '-9007199254740993', '12345678901234567890'])(
    'that would be another one by then is refused: %s',
    async (text) => {
      for (const tool of ['number', 'integer']) {
        for (const sent of [text, `"${text}"`]) {
          const { received, reading } = await send(tool, `{"v": ${sent}}`);
          expect(received).toEqual([]);
          expect(reading).toContain('Correct the arguments and call the tool again.');
        }
      }
    },
  );

  it.each([
    ['anything', '9007199254740993'],
    ['anything', '{"a": [{"b": 9007199254740993}]}'],
    ['list', '[1, 9007199254740993]'],
    ['list', '"[1, 9007199254740993]"'],
    ['list', '9007199254740993'],
  ])('is refused for the same reason wherever it stands: as %s in %s', async (tool, sent) => {
    const { received, reading } = await send(tool, `{"v": ${sent}}`);
    expect(received).toEqual([]);
    expect(reading).toContain('the number has more digits than can be kept');
  });

  it('with more digits than a number keeps is whole where a text is wanted', async () => {
    for (const sent of ['12345678901234567890', '"12345678901234567890"']) {
      const { received } = await send('text', `{"v": ${sent}}`);
      expect(received).toEqual(['12345678901234567890']);
    }
  });

  it('with a fraction is not cut to an integer, nor is one out of range', async () => {
    for (const sent of ['1.5', '"1.5"', '1e400', 'NaN']) {
      const { received, reading } = await send('integer', `{"v": ${sent}}`);
      expect(received).toEqual([]);
      expect(reading).toContain('call the tool again');
    }
  });
});

describe('a boolean', () => {
  it.each(['"yes"', '"no"', '"on"', '"1"', '1', '0', '""', '[]'])(
    'that is none is refused, and never false: %s',
    async (sent) => {
      const { received, reading } = await send('boolean', `{"v": ${sent}}`);
      expect(received).toEqual([]);
      expect(reading).toContain('- v: ');
    },
  );

  it.each([
    ['True', true],
    ['False', false],
    ['"True"', true],
    ['"FALSE"', false],
  ])('is read as the model of another language writes it: %s', async (sent, expected) => {
    expect((await send('boolean', `{"v": ${sent}}`)).received).toEqual([expected]);
  });
});

describe('null', () => {
  it.each(['number', 'integer', 'text', 'boolean'])(
    'for a required %s is a complaint to the model, and no zero and no crash',
    async (tool) => {
      for (const sent of ['{"v": null}', '{"v": None}', '{}']) {
        const { received, reading } = await send(tool, sent);
        expect(received).toEqual([]);
        expect(reading).toContain('- v: ');
        expect(reading).toContain('Correct the arguments and call the tool again.');
      }
    },
  );

  it('for an optional value counts as left out', async () => {
    const { received } = await send('optional', '{"v": null, "on": None}');
    expect(received).toEqual([{ v: undefined, on: undefined }]);
  });
});

/** The same text, from a model that answers at once and from one that streams it in pieces. */
const DELIVERIES: [string, (text: string) => ScriptedTurn][] = [
  ['at once', (text) => ({ tool: 'optional', arguments: text })],
  [
    'in pieces',
    (text) => ({
      deltas: [
        { type: 'tool-call', index: 0, id: 'call_1', name: 'optional' },
        ...text.split('').map((piece): ChatDelta => ({
          type: 'tool-call',
          index: 0,
          arguments: piece,
        })),
        { type: 'finish', reason: 'tool-calls' },
      ],
    }),
  ],
];

describe.each(DELIVERIES)('arguments that came %s', (_how, deliver) => {
  async function play(text: string) {
    const { agent, app } = await start({ providers: [ValueTools] });
    const { messages } = await agent.stream('Go.', {
      model: scripted([deliver(text), 'Done.']),
    }).result;
    return { received: app.get(ValueTools).received, messages };
  }

  it.each(['{"v": 1', '{"v": 1 "on"', 'v = 1', '{"v": "1', '{{}', '[1,2]', '"five"', '5', 'true'])(
    'and are no object are quoted to the model, and never taken for none: %s',
    async (text) => {
      const { received, messages } = await play(text);
      expect(received).toEqual([]);
      const [{ status, content }] = resultsOf(messages);
      expect(status).toBe('error');
      expect(content).toMatch(/not valid JSON|must be a JSON object/);
      expect(content).toContain(text.replaceAll(/^"|"$/g, ''));
      const [{ arguments: stored }] = callsOf(messages);
      expect(JSON.parse(stored)).toEqual({ INVALID_JSON: text });
    },
  );

  it.each(['', ' ', 'null', '{}'])('and are blank are a call without: "%s"', async (text) => {
    const { received, messages } = await play(text);
    expect(received).toEqual([{ v: undefined, on: undefined }]);
    expect(resultsOf(messages)).toMatchObject([{ status: 'success' }]);
  });
});

describe('calls that a model sends without ids', () => {
  it('get ids of their own, and each its own result', async () => {
    const { agent } = await start({ providers: [ValueTools] });
    const deltas: ChatDelta[] = [
      { type: 'tool-call', index: 0, name: 'number', arguments: '{"v":' },
      { type: 'tool-call', index: 1, name: 'integer', arguments: '{"v": "no' },
      { type: 'tool-call', index: 0, arguments: ' 1}' },
      { type: 'tool-call', index: 1, arguments: 'ne"}' },
      { type: 'finish', reason: 'tool-calls' },
    ];
    const { messages } = await agent.stream('Go.', {
      model: scripted([{ deltas }, 'Done.']),
    }).result;
    const calls = callsOf(messages);
    expect(calls.map(({ name, arguments: text }) => [name, text])).toEqual([
      ['number', '{"v": 1}'],
      ['integer', '{"v": "none"}'],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(calls.every(({ id }) => id !== '')).toBe(true);
    expect(resultsOf(messages).map(({ callId, status }) => [callId, status])).toEqual([
      [calls[0].id, 'success'],
      [calls[1].id, 'error'],
    ]);
  });
});
