import type { Usage } from 'nestjs-agent-tools';
import { toTokenCount, toUsage } from 'nestjs-agent-tools/model-kit';
import type { WireCompletion, WireUsage } from './interfaces/chat-completions.interface.js';

/** The usage of an answer or a chunk, if it has one. Groq may keep it in a place of its own. */
export function decodeUsage({ usage, x_groq: groq }: WireCompletion): Usage | undefined {
  const wire = usage ?? groq?.usage;
  if (!wire) return undefined;
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = wire;
  const cached = [
    prompt?.cached_tokens,
    wire.prompt_cache_hit_tokens,
    wire.num_cached_tokens,
    wire.cached_tokens,
  ];
  return toUsage({
    input: wire.prompt_tokens,
    output: outputOf(wire),
    total: wire.total_tokens,
    cacheRead: cached.find((count) => toTokenCount(count) !== undefined),
    cacheWrite: prompt?.cache_write_tokens,
    reasoning: completion?.reasoning_tokens,
  });
}

/** xAI counts reasoning in the total but not in `completion_tokens`; everyone else in both. */
function outputOf(wire: WireUsage): unknown {
  const output = toTokenCount(wire.completion_tokens);
  const reasoning = toTokenCount(wire.completion_tokens_details?.reasoning_tokens) ?? 0;
  const input = toTokenCount(wire.prompt_tokens) ?? 0;
  const isApart = wire.total_tokens === input + (output ?? 0) + reasoning;
  return isApart && reasoning > 0 ? (output ?? 0) + reasoning : output;
}
