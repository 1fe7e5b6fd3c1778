import type { FinishReason } from 'nestjs-agent-tools';
import { isText } from 'nestjs-agent-tools/model-kit';

const REASONS = new Map<string, FinishReason>([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['CONTINUATION', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['MODEL_ARMOR', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
]);

const FAILURES = new Map([
  ['MALFORMED_FUNCTION_CALL', 'The model wrote a tool call that cannot be read.'],
  ['UNEXPECTED_TOOL_CALL', 'The model called a tool that it was not given.'],
  ['TOO_MANY_TOOL_CALLS', 'The model called too many tools on the server.'],
  ['MISSING_THOUGHT_SIGNATURE', 'The history lacks the signature of a thought.'],
  ['MALFORMED_RESPONSE', 'The model wrote an answer that cannot be read.'],
]);

/** `undefined` if the server gave none, or none that says anything. */
export function decodeFinishReason(reason: unknown): FinishReason | undefined {
  if (!isText(reason) || reason === 'FINISH_REASON_UNSPECIFIED') return undefined;
  return FAILURES.has(reason) ? 'error' : (REASONS.get(reason) ?? 'other');
}

/** What went wrong, for people, if the reason stands for a failure of the model. */
export function describeFailure(reason: unknown): string | undefined {
  return isText(reason) ? FAILURES.get(reason) : undefined;
}
