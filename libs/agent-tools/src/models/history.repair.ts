import type {
  AssistantMessage,
  ChatMessage,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
} from './interfaces/chat-message.interface.js';

const INTERRUPTED = 'Interrupted: there is no result of this call.';

/**
 * Makes a stored conversation one that providers accept: every call has exactly one result, right
 * after its message and in call order; calls stored twice and results without a call are dropped;
 * empty assistant messages too. Deterministic, and a second repair changes nothing. The given
 * messages are not touched.
 */
export function repairHistory(messages: readonly ChatMessage[]): ChatMessage[] {
  const results = collectResults(messages);
  const counts = new Map([...results].map(([id, parts]) => [id, parts.length]));
  const kept = new Map<string, number>();
  const repaired: ChatMessage[] = [];
  for (const message of messages) {
    if (message.role === 'tool') continue;
    if (message.role !== 'assistant') {
      repaired.push(message);
      continue;
    }
    const assistant = repairAssistant(message, (id) => {
      const occurrence = (kept.get(id) ?? 0) + 1;
      kept.set(id, occurrence);
      return occurrence <= Math.max(1, counts.get(id) ?? 0);
    });
    if (assistant.content.length === 0) continue;
    repaired.push(assistant);
    const calls = assistant.content.filter((part) => part.type === 'tool-call');
    if (calls.length > 0) repaired.push(resultsOf(calls, results));
  }
  return repaired;
}

/** The ids of all calls of a conversation. */
export function callIds(messages: readonly ChatMessage[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.filter((part) => part.type === 'tool-call').map(({ id }) => id)
      : [],
  );
}

/** Results by id, in the order in which they are stored: ids may repeat over a long conversation. */
function collectResults(messages: readonly ChatMessage[]): Map<string, ToolResultPart[]> {
  const results = new Map<string, ToolResultPart[]>();
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    for (const part of message.content) {
      results.set(part.callId, [...(results.get(part.callId) ?? []), part]);
    }
  }
  return results;
}

/** A call that occurs more often than its id has results was stored twice. */
function repairAssistant(
  message: AssistantMessage,
  isOwn: (callId: string) => boolean,
): AssistantMessage {
  const calls = message.content.filter((part) => part.type === 'tool-call' && isOwn(part.id));
  const others = message.content.filter(
    (part) => part.type === 'reasoning' || (part.type === 'text' && part.text !== ''),
  );
  const isReasoningOnly = calls.length === 0 && others.every((part) => part.type === 'reasoning');
  if (isReasoningOnly) return { role: 'assistant', content: [] };
  return {
    role: 'assistant',
    content: [...others, ...(calls as ToolCallPart[]).map(withArguments)],
  };
}

/** Conversations stored by others may lack the arguments of a call without any. */
function withArguments(call: ToolCallPart): ToolCallPart {
  return (call.arguments as string | undefined) ? call : { ...call, arguments: '{}' };
}

function resultsOf(
  calls: readonly ToolCallPart[],
  results: Map<string, ToolResultPart[]>,
): ToolMessage {
  return {
    role: 'tool',
    content: calls.map(
      ({ id, name }) =>
        results.get(id)?.shift() ?? {
          type: 'tool-result',
          callId: id,
          name,
          status: 'interrupted',
          content: INTERRUPTED,
        },
    ),
  };
}
