import type { Usage } from 'nestjs-agent-tools';
import type { WireUsage } from './interfaces/generate-content.interface.js';

/** The usage so far; each piece of a stream has all of it. `undefined` if it counts nothing. */
export function decodeUsage(wire: WireUsage | null | undefined): Usage | undefined {
  const prompt = toCount(wire?.promptTokenCount);
  const candidates = toCount(wire?.candidatesTokenCount);
  const total = toCount(wire?.totalTokenCount);
  if (prompt === undefined && candidates === undefined && total === undefined) return undefined;
  const reasoningTokens = toCount(wire?.thoughtsTokenCount);
  const cacheReadTokens = toCount(wire?.cachedContentTokenCount);
  const inputTokens = (prompt ?? 0) + (toCount(wire?.toolUsePromptTokenCount) ?? 0);
  const outputTokens = (candidates ?? 0) + (reasoningTokens ?? 0);
  return {
    inputTokens,
    outputTokens,
    totalTokens: total ?? inputTokens + outputTokens,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

function toCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
