import type { Usage } from 'nestjs-agent-tools';
import { addUsage } from 'nestjs-agent-tools/model-kit';
import { fieldsOf } from '../values.js';

/**
 * The usage of an answer. By LangChain's convention the pieces of a stream are added up: the packages of
 * providers whose servers count on from the start subtract what they have said before.
 */
export class UsageAccumulator {
  private usage?: Usage;

  /** The usage so far, if the message has some to add. */
  add(metadata: unknown): Usage | undefined {
    const usage = toUsage(metadata);
    if (!usage) return undefined;
    this.usage = addUsage(this.usage, usage);
    return this.usage;
  }
}

function toUsage(metadata: unknown): Usage | undefined {
  const fields = fieldsOf(metadata);
  const input = toCount(fields.input_tokens);
  const output = toCount(fields.output_tokens);
  const total = toCount(fields.total_tokens);
  if (input === undefined && output === undefined && total === undefined) return undefined;
  const details = fieldsOf(fields.input_token_details);
  const inputTokens = input ?? 0;
  const outputTokens = output ?? 0;
  return withDetails(
    { inputTokens, outputTokens, totalTokens: total ?? inputTokens + outputTokens },
    toCount(details.cache_read),
    toCount(details.cache_creation),
    toCount(fieldsOf(fields.output_token_details).reasoning),
  );
}

function withDetails(usage: Usage, read?: number, written?: number, reasoning?: number): Usage {
  return {
    ...usage,
    ...(read !== undefined && { cacheReadTokens: read }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}

/** Corrections of an earlier piece may be negative. */
function toCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
