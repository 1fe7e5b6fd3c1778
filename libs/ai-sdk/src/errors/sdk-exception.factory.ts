import { ChatModelException } from 'nestjs-agent-tools';
import { ModelExceptionFactory } from 'nestjs-agent-tools/model-kit';
import { readSdkError } from './sdk-error.reader.js';

/** Makes the exceptions of one call. */
export class SdkExceptionFactory extends ModelExceptionFactory {
  /** For what a provider threw, or put into its stream. */
  fromThrown(error: unknown): ChatModelException {
    return error instanceof ChatModelException ? error : this.from(readSdkError(error));
  }

  fromUnreadable(expected: string): ChatModelException {
    return this.make(
      `gave something other than ${expected}. Look whether its package is one for language models of the ` +
        'AI SDK, and up to date.',
    );
  }
}
