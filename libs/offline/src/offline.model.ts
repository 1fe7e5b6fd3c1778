import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatDelta, ChatModel, ChatRequest, ChatResponse } from 'nestjs-agent-tools';
import { planCalls } from './call.planner.js';
import { narrate } from './result.narrator.js';

/** @publicApi */
export interface OfflineOptions {
  /** Milliseconds between the words of a streamed answer. @default 0 */
  readonly delay?: number;
}

/**
 * A chat model for a first try ...
 *
 * @publicApi
 */
export function offline({ delay = 0 }: OfflineOptions = {}): ChatModel {
  return {
    name: 'offline (rules, not a language model)',
    async generate(request, { signal }) {
      signal?.throwIfAborted();
      return answer(request);
    },
    async *stream(request, { signal }): AsyncGenerator<ChatDelta> {
      const { content, finishReason: reason, usage } = await this.generate(request, { signal });
      for (const [index, part] of content.entries()) {
        if (part.type === 'tool-call') yield { ...part, index };
        if (part.type !== 'text') continue;
        for (const text of part.text.split(/(?<=\s)(?=\S)/)) {
          if (delay > 0) await sleep(delay, undefined, { signal }).catch(() => {});
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
  const made = messages.map((it) =>
    it.role === 'assistant' ? it.content.filter((part) => part.type === 'tool-call') : [],
  );
  const results = messages.slice(start + 1).flatMap((it) => (it.role === 'tool' ? it.content : []));
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
    /required|object/.test(`${typeof toolChoice} ${String(toolChoice)}`),
  );
  const calls =
    toolChoice === 'none' || results.length > 0
      ? []
      : plan.calls.map((call, at) => ({
          type: 'tool-call' as const,
          id: `call_${made.flat().length + at + 1}`,
          ...call,
        }));
  const told = results.map((it) =>
    narrate(
      it,
      made.flat().find(({ id }) => id === it.callId),
    ),
  );
  const text = [...told, ...plan.notes].join('\n') || 'No tool.';
  const content = calls.length > 0 ? calls : [{ type: 'text' as const, text }];
  const [inputTokens, outputTokens] = [messages, content].map(
    (it) => JSON.stringify(it).split(' ').length,
  );
  const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
  return { content, finishReason: calls.length > 0 ? 'tool-calls' : 'stop', usage };
}
