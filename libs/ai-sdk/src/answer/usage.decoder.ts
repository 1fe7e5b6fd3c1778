import type { Usage } from 'nestjs-agent-tools';
import { toTokenCount, toUsage, isRecord } from 'nestjs-agent-tools/model-kit';

/** Providers that, in V2, do not count what came from a cache or went into it among the input. */
const COUNTS_CACHE_APART = /anthropic|bedrock/;

/**
 * The tokens of one answer, or `undefined` if the provider counts none.
 *
 * @param metadata That of the answer; V2 tells only there what was written to a cache.
 */
export function decodeUsage(
  usage: unknown,
  provider: string,
  metadata: unknown,
): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const { inputTokens: input, outputTokens: output } = usage;
  return isRecord(input) || isRecord(output)
    ? decodeNested(isRecord(input) ? input : {}, isRecord(output) ? output : {})
    : decodeFlat(usage, provider, metadata);
}

function decodeNested(
  input: Readonly<Record<string, unknown>>,
  output: Readonly<Record<string, unknown>>,
): Usage | undefined {
  const read = toTokenCount(input.cacheRead);
  const written = toTokenCount(input.cacheWrite);
  const inputTokens = toTokenCount(input.total) ?? sum(toTokenCount(input.noCache), read, written);
  const reasoning = toTokenCount(output.reasoning);
  const outputTokens = toTokenCount(output.total) ?? sum(toTokenCount(output.text), reasoning);
  return toUsage({
    input: inputTokens,
    output: outputTokens,
    cacheRead: read,
    cacheWrite: written,
    reasoning,
  });
}

function decodeFlat(
  usage: Readonly<Record<string, unknown>>,
  provider: string,
  metadata: unknown,
): Usage | undefined {
  const read = toTokenCount(usage.cachedInputTokens);
  const written = writtenTokens(metadata);
  const input = toTokenCount(usage.inputTokens);
  const isApart = COUNTS_CACHE_APART.test(provider);
  return toUsage({
    input: isApart ? sum(input, read, written) : input,
    output: usage.outputTokens,
    total: isApart ? undefined : usage.totalTokens,
    cacheRead: read,
    cacheWrite: written,
    reasoning: usage.reasoningTokens,
  });
}

function writtenTokens(metadata: unknown): number | undefined {
  if (!isRecord(metadata)) return undefined;
  const { anthropic, bedrock } = metadata;
  if (isRecord(anthropic)) return toTokenCount(anthropic.cacheCreationInputTokens);
  if (!isRecord(bedrock) || !isRecord(bedrock.usage)) return undefined;
  return toTokenCount(bedrock.usage.cacheWriteInputTokens);
}

function sum(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length > 0 ? known.reduce((total, count) => total + count, 0) : undefined;
}
