import { expect } from '@jest/globals';
import {
  repairHistory,
  type ChatMessage,
  type ToolCallPart,
  type ToolResultPart,
} from 'nestjs-agent-tools';

export const user = (content: string): ChatMessage => ({ role: 'user', content });

export const assistant = (
  ...content: Extract<ChatMessage, { role: 'assistant' }>['content']
): ChatMessage => ({ role: 'assistant', content });

export const toolMessage = (...content: ToolResultPart[]): ChatMessage => ({
  role: 'tool',
  content,
});

export const call = (id: string, name = 'find', args = '{}'): ToolCallPart => ({
  type: 'tool-call',
  id,
  name,
  arguments: args,
});

export const result = (callId: string, content = 'found', name = 'find'): ToolResultPart => ({
  type: 'tool-result',
  callId,
  name,
  status: 'success',
  content,
});

export function callsOf(messages: readonly ChatMessage[]): ToolCallPart[] {
  return messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.filter((part): part is ToolCallPart => part.type === 'tool-call')
      : [],
  );
}

export function resultsOf(messages: readonly ChatMessage[]): ToolResultPart[] {
  return messages.flatMap((message) => (message.role === 'tool' ? message.content : []));
}

/** What a provider demands of a conversation, whatever happened in the runs before. */
export function expectSendable(messages: readonly ChatMessage[]): void {
  expect(messages.flatMap((_, index) => problemsAt(messages, index))).toEqual([]);
  const ids = callsOf(messages).map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  expect(repairHistory(messages)).toEqual(messages);
}

function problemsAt(messages: readonly ChatMessage[], index: number): string[] {
  const message = messages[index];
  const problems: string[] = [];
  const demand = (isMet: boolean, demanded: string) => {
    if (!isMet) problems.push(`message ${index}: ${demanded}`);
  };
  if (message.role === 'assistant') {
    const { content } = message;
    const calls = callsOf([message]);
    demand(content.length > 0, 'has content');
    demand(
      content.slice(0, content.length - calls.length).every((part) => part.type !== 'tool-call'),
      'has its calls last',
    );
    demand(
      calls.every((part) => isObjectText(part.arguments)),
      'has objects for arguments',
    );
    demand(
      calls.every((part) => /^[\w-]{1,64}$/.test(part.name)),
      'has names that providers accept',
    );
    const next = messages.at(index + 1);
    const answered = next?.role === 'tool' ? next.content.map(({ callId }) => callId) : [];
    const called = calls.map(({ id }) => id);
    demand(answered.join() === called.join(), 'is followed by the results of its calls');
  }
  if (message.role === 'tool') {
    demand(index > 0 && messages[index - 1].role === 'assistant', 'follows calls');
    demand(
      message.content.every(({ content }) => content.length > 0),
      'has no empty result',
    );
  }
  return problems;
}

function isObjectText(text: string): boolean {
  const value: unknown = JSON.parse(text);
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
