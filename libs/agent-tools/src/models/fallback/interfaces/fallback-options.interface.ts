import type { ChatModelException } from '../../exceptions/chat-model.exception.js';
import type { ChatResponse } from '../../interfaces/chat-model.interface.js';

/**
 * When `fallback()` asks its next model.
 *
 * @publicApi
 */
export interface FallbackOptions {
  /**
   * Whether the next model is asked after an error. Errors that are no `ChatModelException` (a bug, an
   * abort) are thrown at once in any case.
   *
   * @default after every `ChatModelException`: a wrong key is a reason to ask another model, too
   */
  readonly when?: (error: ChatModelException) => boolean;
  /**
   * Which whole answers are of no use, beside those with neither text nor calls and those with the
   * finish `error`. A stream is not asked: once its first piece was handed on, its answer stays, and
   * one that ends before a piece is of no use in any case.
   *
   * @default none
   */
  readonly unusable?: (response: ChatResponse) => boolean;
}
