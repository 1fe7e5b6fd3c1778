import type { FinishReason } from 'nestjs-agent-tools';
import { fieldsOf, textIn, type Fields } from '../values.js';

const FIELDS = ['finish_reason', 'stop_reason', 'finishReason', 'stopReason', 'done_reason'];

const REASONS = new Map<string, FinishReason>([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['eos', 'stop'],
  ['stop_sequence', 'stop'],
  ['complete', 'stop'],
  ['completed', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['tool_call', 'tool-calls'],
  ['tool_use', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['max_output_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['content_filter', 'content-filter'],
  ['content_filtered', 'content-filter'],
  ['guardrail_intervened', 'content-filter'],
  ['refusal', 'content-filter'],
  ['safety', 'content-filter'],
  ['recitation', 'content-filter'],
  ['blocklist', 'content-filter'],
  ['prohibited_content', 'content-filter'],
  ['spii', 'content-filter'],
  ['error', 'error'],
  ['failed', 'error'],
  ['cancelled', 'error'],
  ['malformed_function_call', 'error'],
]);

/** Why the model stopped, wherever its provider's package says so; `undefined` if nowhere. */
export function decodeFinishReason(message: Fields): FinishReason | undefined {
  const response = fieldsOf(message.response_metadata);
  // Bedrock's streams; Anthropic's.
  const places = [response, fieldsOf(response.messageStop), fieldsOf(message.additional_kwargs)];
  for (const place of places) {
    for (const field of FIELDS) {
      const reason = textIn(place[field]);
      // What Google's packages say while the answer goes on.
      if (reason && !/unspecified$/i.test(reason)) return toReason(reason);
    }
  }
  return decodeStatus(response);
}

/** OpenAI's Responses have a status, of which `in_progress` is none of the last. */
function decodeStatus({ status, incomplete_details: details }: Fields): FinishReason | undefined {
  if (status === 'incomplete') return toReason(textIn(fieldsOf(details).reason) ?? 'other');
  return typeof status === 'string' ? REASONS.get(status) : undefined;
}

function toReason(reason: string): FinishReason {
  return REASONS.get(reason.toLowerCase()) ?? 'other';
}
