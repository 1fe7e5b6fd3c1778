import type { Usage } from 'nestjs-agent-tools';
import { toTokenCount, toUsage } from 'nestjs-agent-tools/model-kit';
import type { WireUsage } from './interfaces/generate-content.interface.js';

/** The usage so far; each piece of a stream has all of it. `undefined` if it counts nothing. */
export function decodeUsage(wire: WireUsage | null | undefined): Usage | undefined {
  const prompt = toTokenCount(wire?.promptTokenCount);
  const candidates = toTokenCount(wire?.candidatesTokenCount);
  const total = toTokenCount(wire?.totalTokenCount);
  if (prompt === undefined && candidates === undefined && total === undefined) return undefined;
  const reasoning = toTokenCount(wire?.thoughtsTokenCount);
  return toUsage({
    input: (prompt ?? 0) + (toTokenCount(wire?.toolUsePromptTokenCount) ?? 0),
    output: (candidates ?? 0) + (reasoning ?? 0),
    total,
    cacheRead: wire?.cachedContentTokenCount,
    reasoning,
  });
}
