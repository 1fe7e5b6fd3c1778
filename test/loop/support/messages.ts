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
  messages.forEach((message, index) => {
    const calls = callsOf([message]);
    const next = messages.at(index + 1);
    if (message.role === 'assistant') {
      expect(message.content.length).toBeGreaterThan(0);
      for (const { arguments: text } of calls) {
        expect(JSON.parse(text)).toBeInstanceOf(Object);
      }
      const firstCall = message.content.findIndex(({ type }) => type === 'tool-call');
      if (firstCall >= 0) expect(message.content.length - firstCall).toBe(calls.length);
      const answered = next?.role === 'tool' ? next.content.map(({ callId }) => callId) : [];
      expect(answered).toEqual(calls.map(({ id }) => id));
    }
    if (message.role === 'tool') {
      expect(messages.at(index - 1)?.role).toBe('assistant');
      for (const { content } of message.content) expect(content.length).toBeGreaterThan(0);
    }
  });
  const ids = callsOf(messages).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(repairHistory(messages)).toEqual(messages);
}
