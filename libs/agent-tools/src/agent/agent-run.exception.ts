import { IntrinsicException } from '@nestjs/common';
import type { AgentResult } from './interfaces/agent-result.interface.js';

/**
 * A run failed: the model could not be reached, refused the request, broke off or answered nothing;
 * every tool call failed for `limits.failedSteps` steps in a row; or a handler of errors threw. What the
 * run did until then is in `partial`; the reason is the `cause`.
 *
 * @publicApi
 */
export class AgentRunException extends IntrinsicException {
  constructor(
    message: string,
    /** The messages, steps and usage up to the failure. Its text is what had been streamed. */
    readonly partial: Omit<AgentResult, 'status' | 'finishReason'>,
    cause?: unknown,
  ) {
    super(message);
    this.name = 'AgentRunException';
    this.cause = cause;
  }
}
