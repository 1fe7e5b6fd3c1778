import type { Usage } from 'nestjs-agent-tools';
import { isRecord } from './item.metadata.js';

/** The usage of an answer, if it has one. */
export function decodeUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const input = toCount(usage.input_tokens);
  const output = toCount(usage.output_tokens);
  const total = toCount(usage.total_tokens);
  if (input === undefined && output === undefined && total === undefined) return undefined;
  const cacheReadTokens = detail(usage.input_tokens_details, 'cached_tokens');
  const cacheWriteTokens = detail(usage.input_tokens_details, 'cache_write_tokens');
  const reasoningTokens = detail(usage.output_tokens_details, 'reasoning_tokens');
  const inputTokens = input ?? 0;
  const outputTokens = output ?? 0;
  return {
    inputTokens,
    outputTokens,
    totalTokens: total ?? inputTokens + outputTokens,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

function detail(details: unknown, field: string): number | undefined {
  return isRecord(details) ? toCount(details[field]) : undefined;
}

function toCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
