import type { ChatModelExceptionOptions } from './chat-model.exception.js';
import { ModelTimeoutException } from './model-timeout.exception.js';

/**
 * A model's answer fell silent after it had begun: `timeouts.betweenChunks`.
 *
 * @publicApi
 */
export class ModelChunkTimeoutException extends ModelTimeoutException {
  constructor(label: string, milliseconds: number, options: ChatModelExceptionOptions = {}) {
    super(
      `${label} broke off its answer: there was nothing more for ${milliseconds} ms. Raise \`timeouts.betweenChunks\` if it needs longer.`,
      milliseconds,
      options,
    );
    this.name = 'ModelChunkTimeoutException';
  }
}
