import type { AssistantPart } from '../interfaces/chat-message.interface.js';
import { ChatModelException } from './chat-model.exception.js';

/**
 * A streamed answer ended before the model said that it was finished: the connection or the server
 * broke off. What arrived is in `partial`; it must not be taken for an answer.
 *
 * @publicApi
 */
export class ChatStreamException extends ChatModelException {
  constructor(
    /** Text and reasoning up to the break. Calls are left out: their arguments may be cut off. */
    readonly partial: readonly AssistantPart[],
  ) {
    super(
      'The model stream ended without a finish, so the answer is cut off. ' +
        'Send the request again; the text up to here is in `partial`.',
      { retryable: true },
    );
    this.name = 'ChatStreamException';
  }
}
