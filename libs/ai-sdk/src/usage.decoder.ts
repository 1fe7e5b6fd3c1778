import type { Usage } from 'nestjs-agent-tools';
import { isRecord } from './is-record.js';

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
  const read = toCount(input.cacheRead);
  const written = toCount(input.cacheWrite);
  const inputTokens = toCount(input.total) ?? sum(toCount(input.noCache), read, written);
  const reasoning = toCount(output.reasoning);
  const outputTokens = toCount(output.total) ?? sum(toCount(output.text), reasoning);
  return toUsage(inputTokens, outputTokens, undefined, { read, written, reasoning });
}

function decodeFlat(
  usage: Readonly<Record<string, unknown>>,
  provider: string,
  metadata: unknown,
): Usage | undefined {
  const read = toCount(usage.cachedInputTokens);
  const written = writtenTokens(metadata);
  const input = toCount(usage.inputTokens);
  const isApart = COUNTS_CACHE_APART.test(provider);
  return toUsage(
    isApart ? sum(input, read, written) : input,
    toCount(usage.outputTokens),
    isApart ? undefined : toCount(usage.totalTokens),
    { read, written, reasoning: toCount(usage.reasoningTokens) },
  );
}

function writtenTokens(metadata: unknown): number | undefined {
  if (!isRecord(metadata)) return undefined;
  const { anthropic, bedrock } = metadata;
  if (isRecord(anthropic)) return toCount(anthropic.cacheCreationInputTokens);
  if (!isRecord(bedrock) || !isRecord(bedrock.usage)) return undefined;
  return toCount(bedrock.usage.cacheWriteInputTokens);
}

function toUsage(
  inputTokens: number | undefined,
  outputTokens: number | undefined,
  total: number | undefined,
  details: { read?: number; written?: number; reasoning?: number },
): Usage | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const { read, written, reasoning } = details;
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    totalTokens: total ?? (inputTokens ?? 0) + (outputTokens ?? 0),
    ...(read !== undefined && { cacheReadTokens: read }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}

function sum(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length > 0 ? known.reduce((total, count) => total + count, 0) : undefined;
}

function toCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
