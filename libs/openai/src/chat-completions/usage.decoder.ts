import type { Usage } from 'nestjs-agent-tools';
import type { WireCompletion, WireUsage } from './interfaces/chat-completions.interface.js';

/** The usage of an answer or a chunk, if it has one. Groq may keep it in a place of its own. */
export function decodeUsage({ usage, x_groq: groq }: WireCompletion): Usage | undefined {
  const wire = usage ?? groq?.usage;
  return wire ? toUsage(wire) : undefined;
}

function toUsage(wire: WireUsage): Usage | undefined {
  const input = toCount(wire.prompt_tokens);
  const output = toCount(wire.completion_tokens);
  const total = toCount(wire.total_tokens);
  if (input === undefined && output === undefined && total === undefined) return undefined;
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = wire;
  const cacheReadTokens =
    toCount(prompt?.cached_tokens) ??
    toCount(wire.prompt_cache_hit_tokens) ??
    toCount(wire.num_cached_tokens) ??
    toCount(wire.cached_tokens);
  const cacheWriteTokens = toCount(prompt?.cache_write_tokens);
  const reasoningTokens = toCount(completion?.reasoning_tokens);
  const inputTokens = input ?? 0;
  const outputTokens = withReasoning(inputTokens, output ?? 0, reasoningTokens ?? 0, total);
  return {
    inputTokens,
    outputTokens,
    totalTokens: total ?? inputTokens + outputTokens,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

/** xAI counts reasoning in the total but not in `completion_tokens`; everyone else in both. */
function withReasoning(input: number, output: number, reasoning: number, total?: number): number {
  return total === input + output + reasoning ? output + reasoning : output;
}

function toCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
