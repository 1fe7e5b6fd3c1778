import { ChatModelException } from '../exceptions/chat-model.exception.js';
import type { ChatRetryPolicy } from '../interfaces/chat-retry-policy.interface.js';

const DELAY = 500;
const MAX_DELAY = 30_000;
const MAX_RETRY_AFTER = 60_000;
const MAX_DOUBLINGS = 40;

/**
 * Milliseconds to wait before repetition number `retry` (from 0), or `undefined` if the request
 * must not be repeated. The wait that a server asks for is the least; chance ("full jitter", as AWS's
 * architecture blog calls it) is added to it.
 */
export function retryDelay(
  error: unknown,
  retry: number,
  { delay = DELAY, maxDelay = MAX_DELAY, maxRetryAfter = MAX_RETRY_AFTER }: ChatRetryPolicy = {},
): number | undefined {
  if (!(error instanceof ChatModelException) || !error.retryable) return undefined;
  const { retryAfter = 0 } = error;
  // A model of the application may have worked it out wrongly; false for NaN, too.
  const floor = retryAfter > 0 ? retryAfter : 0;
  if (floor > maxRetryAfter) return undefined;
  return floor + Math.random() * Math.min(delay * 2 ** Math.min(retry, MAX_DOUBLINGS), maxDelay);
}
