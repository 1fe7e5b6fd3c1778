import type { Usage } from 'nestjs-agent-tools';

const DETAILS = ['cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;

/** The tokens of two requests. */
export function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (!one || !other) return one ?? other;
  const details = DETAILS.filter((name) => (one[name] ?? other[name]) !== undefined);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    totalTokens: one.totalTokens + other.totalTokens,
    ...Object.fromEntries(details.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)])),
  };
}
