import { setTimeout as sleep } from 'node:timers/promises';
import type {
  ChatDelta,
  ChatModel,
  ChatRequest,
  ChatResponse,
  ToolCallPart,
} from 'nestjs-agent-tools';
import { planCalls } from './call.planner.js';
import { narrate } from './result.narrator.js';

/** @publicApi */
export interface OfflineOptions {
  /** Milliseconds between the words of a streamed answer. @default 0 */
  readonly delay?: number;
}

/**
 * A chat model for a first try ...
 */
export function offline({ delay = 0 }: OfflineOptions = {}): ChatModel {
  return {
    name: 'offline (rules, not a language model)',
    async generate(request, { signal }) {
      signal?.throwIfAborted();
      return answer(request);
    },
    async *stream(request, { signal }): AsyncGenerator<ChatDelta> {
      signal?.throwIfAborted();
      const { content, finishReason: reason, usage } = answer(request);
      for (const [index, part] of content.entries()) {
        if (part.type === 'tool-call') yield { ...part, index };
        if (part.type !== 'text') continue;
        for (const text of part.text.split(/(?<=\s)(?=\S)/)) {
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
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const made = messages.map((m) =>
    m.role === 'assistant' ? m.content.filter((part) => part.type === 'tool-call') : [],
  );
  const before = made.flat().length;
  const turn = made.slice(start + 1).flat();
  const results = messages.slice(start + 1).flatMap((m) => (m.role === 'tool' ? m.content : []));
  const asked = messages[start]?.content ?? '';
  const prompt =
    typeof asked === 'string'
      ? asked
      : asked.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
  const usable =
    typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.tool) : tools;
  const plan = planCalls(
    prompt,
    usable,
    typeof toolChoice === 'object' || toolChoice === 'required',
  );
  const calls =
    toolChoice === 'none' || results.length > 0
      ? []
      : plan.calls.map((call, at): ToolCallPart => ({
          type: 'tool-call',
          id: `call_${before + at + 1}`,
          ...call,
        }));
  const told = results.map((result) =>
    narrate(
      result,
      turn.find(({ id }) => id === result.callId),
    ),
  );
  const text = [...told, ...plan.notes].join('\n') || 'none';
  const content = calls.length > 0 ? calls : [{ type: 'text' as const, text }];
  const [inputTokens = 0, outputTokens = 0] = [messages, content].map(
    (each) => JSON.stringify(each).split(/\s+/).length,
  );
  return {
    content,
    finishReason: calls.length > 0 ? 'tool-calls' : 'stop',
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
  };
}
