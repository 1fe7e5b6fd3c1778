import type { ChatModelExceptionOptions } from './chat-model.exception.js';
import { ModelTimeoutException } from './model-timeout.exception.js';

/**
 * The first piece of a model's answer did not come in time: `timeouts.firstChunk`.
 *
 * @publicApi
 */
export class ModelFirstChunkTimeoutException extends ModelTimeoutException {
  constructor(label: string, milliseconds: number, options: ChatModelExceptionOptions = {}) {
    super(
      `${label} sent nothing within ${milliseconds} ms. Raise \`timeouts.firstChunk\` if it needs longer.`,
      milliseconds,
      options,
    );
    this.name = 'ModelFirstChunkTimeoutException';
  }
}
