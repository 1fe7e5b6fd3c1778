import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, withToolCalling, type ChatModel } from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { startAgent } from './support/agent.js';
import { callsOf } from './support/messages.js';
import { runToEnd, streamToEnd } from './support/outcome.js';

const ran: string[] = [];

@Injectable()
class Tools {
  @Tool('Refunds.')
  refund() {
    ran.push('refund');
    return 'done';
  }
}

const MARKUP = 'I would write <tool_call>{"name":"refund","arguments":{}}</tool_call>';
const CALL = { tool: 'refund' };

const MODELS: readonly (readonly [string, () => ChatModel])[] = [
  ['with native calls', () => scripted([{ text: 'No.', calls: [CALL] }])],
  ['with calls in the text', () => withToolCalling(scripted([MARKUP]), { toolCalling: 'prompt' })],
  ['with salvage', () => withToolCalling(scripted([MARKUP]), { salvage: true })],
];

describe.each(MODELS)('toolChoice none, of a model %s', (_, make) => {
  it('runs no call that the model makes all the same', async () => {
    const { agent } = await startAgent([Tools]);
    for (const end of [runToEnd, streamToEnd]) {
      ran.length = 0;
      const { status, messages } = await end(agent, { model: make(), toolChoice: 'none' });
      expect(ran).toEqual([]);
      expect(status).toBe('completed');
      expect(callsOf(messages)).toEqual([]);
    }
  });
});

it('asks without calls in all turns, if the first answers nothing', async () => {
  ran.length = 0;
  const { agent } = await startAgent([Tools]);
  const model = scripted([CALL, { text: 'No.', calls: [CALL] }]);
  const { text } = await agent.run('Refund it.', { model, toolChoice: 'none' });
  expect(text).toBe('No.');
  expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['none', 'none']);
  expect(ran).toEqual([]);
});

it('is auto after a first turn that had to call', async () => {
  const { agent } = await startAgent([Tools]);
  const model = scripted([CALL, 'Done.']);
  await agent.run('Refund it.', { model, toolChoice: 'required' });
  expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['required', 'auto']);
});
