import { isMeaningful, isSendable } from './assistant-content.js';
import type {
  ChatMessage,
  ToolCallPart,
  ToolResultPart,
} from '../interfaces/chat-message.interface.js';

const INTERRUPTED = 'Interrupted: there is no result of this call.';

/** One place at which a call is stored, and the result that belongs to it. */
interface StoredCall {
  readonly part: ToolCallPart;
  readonly messageIndex: number;
  result?: ToolResultPart;
  isCopy?: boolean;
}

/**
 * Makes a stored conversation one that providers accept: every call has exactly one result, right
 * after its message and in call order; calls stored twice and results without a call are dropped;
 * empty assistant messages too. Deterministic, and a second repair changes nothing. The given
 * messages are not touched.
 *
 * @publicApi
 */
export function repairHistory(messages: readonly ChatMessage[]): ChatMessage[] {
  const calls = pairUp(messages);
  const repaired: ChatMessage[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'tool') return;
    if (message.role !== 'assistant') {
      repaired.push(message);
      return;
    }
    const own = (calls.get(index) ?? []).filter(({ isCopy }) => !isCopy);
    const content = [
      ...message.content.filter((part) => part.type !== 'tool-call' && isMeaningful(part)),
      ...own.map(({ part }) => withArguments(part)),
    ];
    if (!isSendable(content)) return;
    repaired.push({ ...message, content });
    if (own.length > 0) repaired.push({ role: 'tool', content: own.map(resultOf) });
  });
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

/**
 * Finds the result of every call. Ids may repeat over a long conversation, so a result belongs to
 * the last message before it that has an open call of its id.
 */
function pairUp(messages: readonly ChatMessage[]): Map<number, StoredCall[]> {
  const byMessage = new Map<number, StoredCall[]>();
  const byId = new Map<string, StoredCall[]>();
  const openCalls = new Map<string, StoredCall[]>();
  messages.forEach((message, messageIndex) => {
    if (message.role === 'assistant') {
      for (const part of message.content) {
        if (part.type !== 'tool-call') continue;
        const call: StoredCall = { part, messageIndex };
        add(byMessage, messageIndex, call);
        add(byId, part.id, call);
        const isOfEarlier = openCalls.get(part.id)?.[0]?.messageIndex !== messageIndex;
        if (isOfEarlier) openCalls.set(part.id, [call]);
        else add(openCalls, part.id, call);
      }
    } else if (message.role === 'tool') {
      for (const part of message.content) {
        const call = openCalls.get(part.callId)?.shift();
        if (call) call.result = part;
      }
    }
  });
  for (const calls of byId.values()) markCopies(calls);
  return byMessage;
}

/** The same call without a result beside one that has it was stored twice, when a run was resumed. */
function markCopies(calls: readonly StoredCall[]): void {
  if (calls.length === 1 || calls.every(({ result }) => result)) return;
  const known = new Set(calls.filter(({ result }) => result).map(contentOf));
  for (const call of calls) {
    if (call.result) continue;
    const content = contentOf(call);
    if (known.has(content)) call.isCopy = true;
    known.add(content);
  }
}

function contentOf({ part }: StoredCall): string {
  return JSON.stringify([part.name, part.arguments]);
}

/** Conversations stored by others may lack the arguments of a call without any. */
function withArguments(call: ToolCallPart): ToolCallPart {
  return (call.arguments as string | undefined) ? call : { ...call, arguments: '{}' };
}

function resultOf({ part, result }: StoredCall): ToolResultPart {
  if (result) return result;
  const { id: callId, name } = part;
  return { type: 'tool-result', callId, name, status: 'interrupted', content: INTERRUPTED };
}

function add<Key>(map: Map<Key, StoredCall[]>, key: Key, call: StoredCall): void {
  const calls = map.get(key);
  if (calls) calls.push(call);
  else map.set(key, [call]);
}
