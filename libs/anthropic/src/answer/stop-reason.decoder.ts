import type { FinishReason } from 'nestjs-agent-tools';

const REASONS = new Map<string, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
  // Its own tools took their time: what came is no whole answer.
  ['pause_turn', 'other'],
]);

/** `undefined` if the server gave none. */
export function decodeStopReason(reason: unknown): FinishReason | undefined {
  if (typeof reason !== 'string' || reason === '') return undefined;
  return REASONS.get(reason) ?? 'other';
}
