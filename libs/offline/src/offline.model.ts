import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatDelta, ChatModel, ChatRequest, ChatResponse } from 'nestjs-agent-tools';
import { checkOptionNames } from 'nestjs-agent-tools/model-kit';
import { planCalls } from './call.planner.js';
import { narrate, plainText } from './result.narrator.js';

/** Options of `offline()`. @publicApi */
export interface OfflineOptions {
  /** Milliseconds between the words of a streamed answer. @default 0 */
  readonly delay?: number;
}

/**
 * A chat model for a first try or a demo, without a key or a network. It is rules, not a language
 * model: it ranks the tools by the words of the last user message (English, 2,000 characters), fills
 * arguments from it by their schemas, never makes a value up, and puts results into sentences. The
 * same request always gets the same answer. `usage` counts words, not tokens.
 *
 * @throws TypeError for an option that there is not, or a delay that is no number
 * @publicApi
 */
export function offline(options: OfflineOptions = {}): ChatModel {
  const delay = delayOf(options);
  return {
    name: 'offline (rules, not a language model)',
    generate: async (request, { signal } = {}) => answer(request, signal),
    async *stream(request, { signal } = {}): AsyncGenerator<ChatDelta> {
      const { content, finishReason: reason, usage } = answer(request, signal);
      for (const [index, part] of content.entries()) {
        if (part.type === 'tool-call') yield { ...part, index };
        for (const text of part.type === 'text' ? part.text.split(/(?<=\s)(?=\S)/) : []) {
          if (delay > 0) await sleep(delay, undefined, { signal }).catch(() => undefined);
          signal?.throwIfAborted();
          yield { type: 'text', text };
        }
      }
      if (usage) yield { type: 'usage', usage };
      yield { type: 'finish', reason };
    },
  };
}

function delayOf(options: OfflineOptions): number {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('The options of offline() are an object: offline({ delay: 20 }).');
  }
  checkOptionNames('offline()', options, ['delay'], 'There is: `delay`.');
  const { delay = 0 }: { readonly delay?: unknown } = options;
  if (typeof delay === 'number' && Number.isFinite(delay)) return delay;
  throw new TypeError('The `delay` of offline() must be a number of milliseconds.');
}

function answer(request: ChatRequest, signal?: AbortSignal): ChatResponse {
  signal?.throwIfAborted();
  const { messages, tools = [], toolChoice = 'auto' } = request;
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const said = messages.flatMap((it) => (it.role === 'assistant' ? it.content : []));
  const made = said.filter((part) => part.type === 'tool-call');
  const results = messages.slice(start + 1).flatMap((it) => (it.role === 'tool' ? it.content : []));
  const told = results.map((it) => narrate(it, made.find(({ id }) => id === it.callId)?.arguments));
  const prompt = plainText(messages[start]?.content ?? '').slice(0, 2_000);
  const { calls, notes } = planCalls(prompt, tools, toolChoice);
  const wanted = toolChoice === 'none' || told.length > 0 ? [] : calls;
  const unique = [...new Map(wanted.map((it) => [it.name + it.arguments, it])).values()];
  const type = 'tool-call' as const;
  const parts = unique.map((it, at) => ({ type, id: `call_${made.length + at + 1}`, ...it }));
  const fallback = `I answer from the results of tools. There are: ${tools.map(({ name }) => name).join(', ') || 'none'}.`;
  const text = [...told, ...notes].filter(Boolean).join('\n') || fallback;
  const content = parts.length > 0 ? parts : [{ type: 'text' as const, text }];
  const size = (it: unknown) => JSON.stringify(it).split(/\s/).length;
  const [inputTokens, outputTokens] = [size(messages), size(content)];
  const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
  return { content, finishReason: parts.length > 0 ? 'tool-calls' : 'stop', usage };
}
