import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, ToolParam, withToolCalling, type ChatModel } from 'nestjs-agent-tools';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai } from 'nestjs-agent-tools/openai';
import { startAgent } from '../../loop/support/agent.js';

const common = { apiKey: 'k', retry: { maxRetries: 0 } };
/** The first answer has the call, the second is text. */
function twice(first: string, second: string, type: string): typeof fetch {
  let count = 0;
  return () => {
    const body = count++ === 0 ? first : second;
    return Promise.resolve(new Response(body, { headers: { 'content-type': type } }));
  };
}
const JSON_TYPE = 'application/json';
const CLAUDE = twice.bind(
  null,
  '{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"refund","input":{"order":9007199254740993}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}',
  '{"type":"message","role":"assistant","content":[{"type":"text","text":"done"}],"stop_reason":"end_turn"}',
  JSON_TYPE,
);
const GEMINI = twice.bind(
  null,
  '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"refund","args":{"order":9007199254740993}}}]},"finishReason":"STOP"}]}',
  '{"candidates":[{"content":{"parts":[{"text":"done"}]},"finishReason":"STOP"}]}',
  JSON_TYPE,
);
const OPENAI = twice.bind(
  null,
  '{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"refund","arguments":{"order":9007199254740993}}}]},"finish_reason":"tool_calls"}]}',
  '{"choices":[{"message":{"content":"done"},"finish_reason":"stop"}]}',
  JSON_TYPE,
);
const SALVAGE = twice.bind(
  null,
  JSON.stringify({
    choices: [
      {
        message: { content: '{"name":"refund","arguments":{"order":9007199254740993}}' },
        finish_reason: 'stop',
      },
    ],
  }),
  '{"choices":[{"message":{"content":"done"},"finish_reason":"stop"}]}',
  JSON_TYPE,
);

const CASES: [string, () => ChatModel][] = [
  [
    'anthropic generate',
    () => anthropic({ model: 'claude-sonnet-4-5', ...common, fetch: CLAUDE() }),
  ],
  ['gemini generate', () => gemini({ model: 'gemini-2.5-flash', ...common, fetch: GEMINI() })],
  ['openai, arguments as an object', () => openai({ model: 'm', ...common, fetch: OPENAI() })],
  [
    'salvage',
    () => withToolCalling(openai({ model: 'm', ...common, fetch: SALVAGE() }), { salvage: true }),
  ],
];

describe('an integer that JavaScript cannot hold', () => {
  it.each(CASES)('never reaches a tool as another one: %s', async (_name, make) => {
    const got: unknown[] = [];
    @Injectable()
    class Tools {
      @Tool('Refunds.')
      refund(@ToolParam('order', { schema: { type: 'integer' } }) order: number) {
        got.push(order);
      }
    }
    const { agent } = await startAgent([Tools], { model: make() });
    await agent.run('Go.').catch(() => undefined);
    expect(got).toEqual([]);
  });

  it.each(CASES)('reaches a tool that wants text as it was written: %s', async (_name, make) => {
    const got: unknown[] = [];
    @Injectable()
    class Tools {
      @Tool('Refunds.')
      refund(@ToolParam('order', { schema: { type: 'string' } }) order: string) {
        got.push(order);
      }
    }
    const { agent } = await startAgent([Tools], { model: make() });
    await agent.run('Go.').catch(() => undefined);
    expect(got).toEqual(['9007199254740993']);
  });
});

describe('a number beyond all bounds', () => {
  it.each(['1e999', '-1e999', '1e-999'])(
    'is no other number, and not left out: %s',
    async (number) => {
      const body = (args: string) =>
        `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"pay","args":${args}}}]},"finishReason":"STOP"}]}`;
      for (const name of ['amount', 'aaaaaaaaa', 'a']) {
        const model = gemini({
          model: 'gemini-2.5-flash',
          ...common,
          fetch: () =>
            Promise.resolve(
              new Response(body(`{"${name}":${number}}`), {
                headers: { 'content-type': JSON_TYPE },
              }),
            ),
        });
        const { content } = await model.generate({ messages: [{ role: 'user', content: 'x' }] });
        expect(content).toMatchObject([{ arguments: `{"${name}":"${number}"}` }]);
      }
    },
  );
});

it('long digits in a text, and exponents in an id, are what they are', async () => {
  const text = 'It took 1234567890123456 ns, 0.12345678901234567 s.';
  const body = JSON.stringify({
    id: 'chatcmpl-7e123e9999',
    logprobs: [-0.1234567890123456],
    choices: [{ message: { content: text }, finish_reason: 'stop' }],
  });
  const fetch = () =>
    Promise.resolve(new Response(body, { headers: { 'content-type': JSON_TYPE } }));
  const model = openai({ model: 'm', ...common, fetch });
  const { content } = await model.generate({ messages: [{ role: 'user', content: 'x' }] });
  expect(content).toEqual([{ type: 'text', text }]);
});
