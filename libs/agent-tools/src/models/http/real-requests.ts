import { ChatModelException } from '../exceptions/chat-model.exception.js';
import type { HttpRequestOptions } from './interfaces/http-request.interface.js';

/** Decides about a request to a model. */
type RequestPolicy = (url: string, options: HttpRequestOptions) => boolean;

let isAllowed: RequestPolicy | undefined;

/**
 * Forbids requests to models, for tests. Returns the policy that was in force.
 *
 * @param policy Whether a request may be made; undefined allows all.
 * @publicApi
 */
export function setRequestPolicy(policy: RequestPolicy | undefined): RequestPolicy | undefined {
  const before = isAllowed;
  isAllowed = policy;
  return before;
}

/** @throws ChatModelException if a test has forbidden the request */
export function refuseRealRequest(url: string, options: HttpRequestOptions): void {
  if (!isAllowed || isAllowed(url, options)) return;
  throw new ChatModelException(
    `${options.label} must not be asked: forbidRealModels() is in force. Give the test a scripted() model, ` +
      'or a `fetch` of replayTraffic().',
  );
}
