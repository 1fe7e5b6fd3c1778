import type { FinishReason } from 'nestjs-agent-tools';
import { isRecord } from 'nestjs-agent-tools/model-kit';

const REASONS = new Map<unknown, FinishReason>([
  ['stop', 'stop'],
  ['tool-calls', 'tool-calls'],
  ['length', 'length'],
  ['content-filter', 'content-filter'],
  ['error', 'error'],
]);

/** V2 has a word, later specifications an object with it and the provider's own. */
export function decodeFinishReason(reason: unknown): FinishReason {
  return REASONS.get(isRecord(reason) ? reason.unified : reason) ?? 'other';
}

/**
 * Whether the model never said that it was finished. Providers end a stream that was cut off with a
 * finish of their own, without a reason or with `interrupted`.
 */
export function isCutOff(reason: unknown): boolean {
  if (!isRecord(reason)) return typeof reason !== 'string' || reason === 'unknown';
  const { unified, raw } = reason;
  return unified === 'interrupted' || (!REASONS.has(unified) && (raw ?? '') === '');
}
