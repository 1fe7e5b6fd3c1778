import type { FinishReason } from '../interfaces/chat-model.interface.js';

const RANKS: readonly FinishReason[] = [
  'stop',
  'tool-calls',
  'other',
  'length',
  'content-filter',
  'error',
];

/**
 * Of two reasons for one answer, the one that says more against running its calls. Gateways add a reason
 * of their own to that of the model, before it or after.
 *
 * @publicApi
 */
export function worseFinish(one: FinishReason | undefined, other: FinishReason): FinishReason {
  if (!one) return other;
  return RANKS.indexOf(one) > RANKS.indexOf(other) ? one : other;
}
