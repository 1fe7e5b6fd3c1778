import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { AssistantPart, ChatMessage } from 'nestjs-agent-tools';
import { anthropic, toAnthropicBody } from 'nestjs-agent-tools/anthropic';

const MODEL = 'claude-sonnet-4-5';
const tools = [
  { name: 'find', description: 'd', inputSchema: { type: 'object' as const, properties: {} } },
];
const THOUGHT: AssistantPart = {
  type: 'reasoning',
  text: 'Hm.',
  providerMetadata: { anthropic: { signature: 's' } },
};

function step(id: string, ...before: AssistantPart[]): ChatMessage[] {
  return [
    {
      role: 'assistant',
      content: [...before, { type: 'tool-call', id, name: 'find', arguments: '{}' }],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', callId: id, name: 'find', status: 'success', content: 'ok' },
      ],
    },
  ];
}

const user: ChatMessage = { role: 'user', content: 'x' };
const thinkingOf = (messages: ChatMessage[], reasoningBudget = 2_000) =>
  toAnthropicBody({ messages, tools }, { model: MODEL, reasoningBudget }).thinking;

const ON = { type: 'enabled', budget_tokens: 2_000 };

/** Anthropic refuses a turn with results of calls that no thinking has come before. */
describe('thinking with a budget', () => {
  it('is left out while the calls of another model are continued', () => {
    expect(thinkingOf([user, ...step('a')])).toBeUndefined();
    expect(thinkingOf([user, ...step('a'), ...step('b')])).toBeUndefined();
    expect(thinkingOf([user, ...step('a', { type: 'reasoning', text: 'Of another.' })])).toBe(
      undefined,
    );
  });

  it('is on where it has begun, also if not each step has some', () => {
    expect(thinkingOf([user, ...step('a', THOUGHT)])).toEqual(ON);
    expect(thinkingOf([user, ...step('a', THOUGHT), ...step('b')])).toEqual(ON);
  });

  it('is on again with the next message of the user', () => {
    const answer: ChatMessage = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] };
    expect(thinkingOf([user, ...step('a'), answer, user])).toEqual(ON);
    expect(thinkingOf([user])).toEqual(ON);
  });

  it('stays off where it is off', () => {
    expect(thinkingOf([user, ...step('a')], 0)).toEqual({ type: 'disabled' });
  });

  it('is told to the log once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const answer = {
      type: 'message',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
    };
    const fetch = () => Promise.resolve(Response.json(answer));
    const model = anthropic({ model: MODEL, apiKey: 'k', reasoningBudget: 2_000, fetch });
    const request = { messages: [user, ...step('a')], tools };
    await model.generate(request);
    await model.generate(request);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('without its `reasoningBudget`')]]);
    warn.mockRestore();
  });
});
