import type { Usage } from 'nestjs-agent-tools';
import { toUsage, isRecord } from 'nestjs-agent-tools/model-kit';

/** The usage of an answer, if it has one. */
export function decodeUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const { input_tokens_details: input, output_tokens_details: output } = usage;
  return toUsage({
    input: usage.input_tokens,
    output: usage.output_tokens,
    total: usage.total_tokens,
    cacheRead: isRecord(input) ? input.cached_tokens : undefined,
    cacheWrite: isRecord(input) ? input.cache_write_tokens : undefined,
    reasoning: isRecord(output) ? output.reasoning_tokens : undefined,
  });
}
