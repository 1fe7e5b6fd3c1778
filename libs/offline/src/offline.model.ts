import { setTimeout as sleep } from 'node:timers/promises';
import type {
  ChatDelta,
  ChatMessage,
  ChatModel,
  ChatRequest,
  ChatResponse,
  ToolCallPart,
  ToolResultPart,
} from 'nestjs-agent-tools';
import { planCalls } from './call.planner.js';
import { narrate } from './result.narrator.js';

/** @publicApi */
export interface OfflineOptions {
  /** Milliseconds between the words of a streamed answer. @default 0 */
  readonly delay?: number;
}

export function offline({ delay = 0 }: OfflineOptions = {}): ChatModel {
  return {
    name: 'offline (rules, not a language model)',
    generate: async (request, { signal }) => {
      signal?.throwIfAborted();
      return answer(request);
    },
    async *stream(request, { signal }): AsyncGenerator<ChatDelta> {
      signal?.throwIfAborted();
      const { content, finishReason: reason, usage } = answer(request);
      for (const [index, part] of content.entries()) {
        if (part.type === 'tool-call') yield { ...part, index };
        if (part.type !== 'text') continue;
        for (const text of part.text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) {
          if (delay > 0)
            await sleep(delay, undefined, { signal }).catch(() => signal?.throwIfAborted());
          signal?.throwIfAborted();
          yield { type: 'text', text };
        }
      }
      if (usage) yield { type: 'usage', usage };
      yield { type: 'finish', reason };
    },
  };
}

function answer({ messages, tools = [], toolChoice = 'auto' }: ChatRequest): ChatResponse {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const turn = messages.slice(asked + 1);
  const made = turn.flatMap((m) =>
    m.role === 'assistant' ? m.content.filter((part) => part.type === 'tool-call') : [],
  );
  const results = turn.flatMap((m) => (m.role === 'tool' ? m.content : []));
  const usable =
    typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.tool) : tools;
  const plan = planCalls(textOf(messages[asked]), usable, toolChoice !== 'auto');
  const done = new Set(made.map(({ name, arguments: args }) => name + args));
  const count = messages.flatMap((m) =>
    m.role === 'assistant' ? m.content.filter((part) => part.type === 'tool-call') : [],
  ).length;
  const calls: ToolCallPart[] =
    toolChoice === 'none'
      ? []
      : plan.calls
          .map(({ name, arguments: args }) => ({ name, arguments: JSON.stringify(args) }))
          .filter((call) => !done.has(call.name + call.arguments))
          .map((call, at) => ({ type: 'tool-call', id: `call_${count + at + 1}`, ...call }));
  const text =
    [
      ...results.map((r) =>
        narrate(
          r,
          made.find(({ id }) => id === r.callId),
        ),
      ),
      ...plan.notes,
    ].join('\n') || 'nothing';
  const content = calls.length > 0 ? calls : [{ type: 'text', text } as const];
  const [inputTokens, outputTokens] = [messages, content].map(
    (each) => JSON.stringify(each).split(/\s+/).length,
  ) as [number, number];
  return {
    content,
    finishReason: calls.length > 0 ? 'tool-calls' : 'stop',
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
  };
}

function textOf(message: ChatMessage | undefined): string {
  if (message?.role !== 'user') return '';
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
}
