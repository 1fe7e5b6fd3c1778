/** The arguments of calls that are taken from the text of a model with native calls. */
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, ToolParam, withToolCalling, type ChatResponse } from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { startAgent } from './support/agent.js';
import { runToEnd } from './support/outcome.js';

const ORDER = '{"order": 9007199254740993}';

async function salvaged(written: string): Promise<ChatResponse> {
  const model = withToolCalling(scripted([written]), { salvage: true });
  const inputSchema = { type: 'object' as const, properties: {} };
  const tools = [{ name: 'refund', description: 'Refunds.', inputSchema }];
  return model.generate({ messages: [], tools }, {});
}

const forms = (json: string) => [
  json,
  `\`\`\`json\n${json}\n\`\`\``,
  `<tool_call>${json}</tool_call>`,
];

it('keeps arguments as they are written', async () => {
  for (const args of [ORDER, '{ "a": 1.10,\n"b": "\\u0041" }', 'null']) {
    for (const written of forms(`{"name": "refund", "arguments": ${args}}`)) {
      const { content } = await salvaged(written);
      expect(content).toMatchObject([{ type: 'tool-call', name: 'refund', arguments: args }]);
    }
  }
});

describe('an integer that JavaScript cannot hold', () => {
  it.each([
    ['integer', [], 'error'],
    ['string', ['9007199254740993'], 'success'],
  ] as const)('never reaches a tool as another one: %s', async (type, expected, status) => {
    const received: unknown[] = [];
    @Injectable()
    class Tools {
      @Tool('Refunds.')
      refund(@ToolParam('order', { schema: { type } }) order: unknown) {
        received.push(order);
      }
    }
    const { agent } = await startAgent([Tools]);
    const turns = [`{"name": "refund", "arguments": ${ORDER}}`, 'So.'];
    const model = withToolCalling(scripted(turns), { salvage: true });
    const { steps } = await runToEnd(agent, { model });
    expect(received).toEqual(expected);
    expect(steps.flatMap(({ toolResults }) => toolResults)).toMatchObject([{ status }]);
  });
});

describe('arguments that cannot be read in one way only', () => {
  it.each([
    ['two keys', '{"name":"refund","arguments":{},"parameters":{"order":"A-1"}}'],
    ['a key twice', '{"name":"refund","arguments":{},"arguments":{"order":"A-1"}}'],
    ['another type', '{"name":"refund","type":"gold","arguments":{}}'],
  ])('are handed on whole, and are no JSON of an object: %s', async (_kind, json) => {
    for (const written of forms(json)) {
      const { content } = await salvaged(written);
      expect(content).toMatchObject([{ type: 'tool-call', arguments: `[${json}` }]);
    }
  });

  it.each([
    ['text behind it', '<tool_call>{"name":"refund","arguments":{}}, "order":"A-1"</tool_call>'],
    ['a field beside', '<tool_call>{"name":"refund","arguments":{},"order":"A-1"}</tool_call>'],
    ['fields only', '<tool_call>{"name":"refund","order":"A-1"}</tool_call>'],
    ['an id only', '<tool_call>{"name":"refund","id":"A-1"}</tool_call>'],
    ['a schema', '{"name":"refund","parameters":{"type":"object","properties":{}}}'],
  ])('or are text: %s', async (_kind, written) => {
    expect((await salvaged(written)).content).toEqual([{ type: 'text', text: written }]);
  });
});

it('keeps the parts of an answer apart', async () => {
  const content = [
    { type: 'text', text: 'A' },
    { type: 'text', text: ' <tool_call>x' },
  ] as const;
  const model = withToolCalling(scripted([{ content: [...content], finishReason: 'stop' }]), {
    salvage: true,
  });
  const tools = [
    { name: 'x', description: '', inputSchema: { type: 'object' as const, properties: {} } },
  ];
  expect((await model.generate({ messages: [], tools }, {})).content).toEqual(content);
});
