import type { Usage } from '../interfaces/chat-model.interface.js';

/**
 * The counts of a provider, as its server sent them.
 *
 * @publicApi
 */
export interface TokenCounts {
  /** Those read from and written to a cache included. */
  readonly input?: unknown;
  /** Those of reasoning included. */
  readonly output?: unknown;
  /** @default the sum of both */
  readonly total?: unknown;
  readonly cacheRead?: unknown;
  readonly cacheWrite?: unknown;
  readonly reasoning?: unknown;
}

/**
 * The usage of an answer; undefined if its server counted nothing. What is no count is left out.
 *
 * @publicApi
 */
export function toUsage(counts: TokenCounts): Usage | undefined {
  const input = toTokenCount(counts.input);
  const output = toTokenCount(counts.output);
  const total = toTokenCount(counts.total);
  if (input === undefined && output === undefined && total === undefined) return undefined;
  const inputTokens = input ?? 0;
  const outputTokens = output ?? 0;
  const cacheReadTokens = partOf(inputTokens, counts.cacheRead);
  const cacheWriteTokens = partOf(inputTokens, counts.cacheWrite);
  const reasoningTokens = partOf(outputTokens, counts.reasoning);
  return {
    inputTokens,
    outputTokens,
    totalTokens: total ?? inputTokens + outputTokens,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

/** Some servers count a part as more than the whole, and who subtracts it would get less than nothing. */
function partOf(whole: number, part: unknown): number | undefined {
  const count = toTokenCount(part);
  return count === undefined ? undefined : Math.min(count, whole);
}

/**
 * A number of tokens that a server sent; undefined if it is none.
 *
 * @publicApi
 */
export function toTokenCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

const DETAILS = ['cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;

/** Of nothing. */
export const NO_USAGE: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0, totalTokens: 0 });

/**
 * The usage of two requests together.
 *
 * @publicApi
 */
export function addUsage(one: Usage | undefined, other: Usage): Usage;
export function addUsage(one: Usage, other: Usage | undefined): Usage;
export function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined;
export function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (!one || !other) return one ?? other;
  const sum: { -readonly [Key in keyof Usage]: Usage[Key] } = {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    totalTokens: one.totalTokens + other.totalTokens,
  };
  for (const name of DETAILS) {
    if (one[name] === undefined && other[name] === undefined) continue;
    sum[name] = (one[name] ?? 0) + (other[name] ?? 0);
  }
  return sum;
}
