import { ChatModelException } from '../chat-model.exception.js';

const BASE_DELAY = 500;
const MAX_DELAY = 30_000;
const MAX_HINT = 60_000;
const JITTER = 0.25;

/**
 * Milliseconds to wait before repetition number `retry` (from 0), or `undefined` if the request
 * must not be repeated. The wait that a server asks for is the least; what goes beyond it is
 * random, so that not all clients come back at once.
 */
export function retryDelay(error: unknown, retry: number, base = BASE_DELAY): number | undefined {
  if (!(error instanceof ChatModelException) || !error.retryable) return undefined;
  const backoff = Math.min(base * 2 ** retry, MAX_DELAY) * (1 - JITTER * Math.random());
  const hint = error.retryAfter ?? 0;
  if (hint > MAX_HINT) return undefined;
  return hint > backoff ? hint + base * JITTER * Math.random() : backoff;
}
