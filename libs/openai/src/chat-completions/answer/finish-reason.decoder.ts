import type { FinishReason } from 'nestjs-agent-tools';

const REASONS = new Map<string, FinishReason>([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['stop_sequence', 'stop'],
  ['completed', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['tool_call', 'tool-calls'],
  ['tool_use', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['max_output_tokens', 'length'],
  ['content_filter', 'content-filter'],
  ['safety', 'content-filter'],
  ['refusal', 'content-filter'],
  ['sensitive', 'content-filter'],
  ['error', 'error'],
  ['network_error', 'error'],
]);

/** `undefined` if the server gave none: missing, `null` or empty. */
export function decodeFinishReason(reason: unknown): FinishReason | undefined {
  if (typeof reason !== 'string' || reason === '') return undefined;
  return REASONS.get(reason.toLowerCase()) ?? 'other';
}
