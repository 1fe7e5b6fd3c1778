import { ChatModelException } from 'nestjs-agent-tools';
import { ModelExceptionFactory } from 'nestjs-agent-tools/model-kit';
import { readModelError } from './model-error.reader.js';

/** Makes the exceptions of one call. */
export class LangChainExceptionFactory extends ModelExceptionFactory {
  /** For what a LangChain model threw. */
  fromThrown(error: unknown): ChatModelException {
    if (error instanceof ChatModelException) return error;
    return this.from({ ...readModelError(error), cause: this.toCause(error) });
  }

  /**
   * An exception is logged with its cause. Errors of HTTP clients have the request with its headers in
   * fields of their own, so only the texts are kept.
   */
  private toCause(error: unknown): Error {
    if (!(error instanceof Error)) return new Error(this.clean(String(error)));
    const cause = new Error(this.clean(error.message));
    cause.name = error.name;
    cause.stack = this.clean(error.stack ?? '', 20_000);
    return cause;
  }
}
