import type { ChatModelException } from 'nestjs-agent-tools';
import type { ModelExceptionFactory } from 'nestjs-agent-tools/model-kit';
import { readModelError } from './model-error.reader.js';

/** What a LangChain model throws → the exception of this package. */
export function toModelException(
  error: unknown,
  exceptions: ModelExceptionFactory,
): ChatModelException {
  return exceptions.from({ ...readModelError(error), cause: toCause(error, exceptions) });
}

/**
 * An exception is logged with its cause. Errors of HTTP clients have the request with its headers in fields
 * of their own, so only the texts are kept.
 */
function toCause(error: unknown, exceptions: ModelExceptionFactory): Error {
  if (!(error instanceof Error)) return new Error(exceptions.clean(String(error)));
  const cause = new Error(exceptions.clean(error.message));
  cause.name = error.name;
  cause.stack = exceptions.clean(error.stack ?? '', 20_000);
  return cause;
}
