import { ChatModelException } from './chat-model.exception.js';

/** One model that failed. */
export interface FailedModel {
  readonly model: string;
  readonly error: ChatModelException;
}

/**
 * All models of a `fallback()` failed. Each one's error is in `errors`, in the order of the models, and
 * in the `AggregateError` that is the cause. It is retryable if one of them is, after the shortest
 * wait that would do.
 *
 * @publicApi
 */
export class ModelFallbackException extends ChatModelException {
  readonly errors: readonly ChatModelException[];

  constructor(failed: readonly FailedModel[]) {
    const errors = failed.map(({ error }) => error);
    const reasons = failed.map(({ model, error }, index) => `${index + 1}. ${say(model, error)}`);
    super(
      `None of the ${failed.length} models of fallback() gave an answer. ${reasons.join(' ')}`,
      {
        retryable: errors.some(({ retryable }) => retryable),
        retryAfter: leastWait(errors),
        cause: new AggregateError(errors, 'The models failed one after the other.'),
      },
    );
    this.name = 'ModelFallbackException';
    this.errors = errors;
  }
}

/** Most messages begin with the name of the model. */
function say(model: string, { message }: ChatModelException): string {
  return message.startsWith(`${model} `) ? message : `${model}: ${message}`;
}

/** A retryable error without a wait means that the request may be made again soon. */
function leastWait(errors: readonly ChatModelException[]): number | undefined {
  const waits = errors
    .filter(({ retryable }) => retryable)
    .map(({ retryAfter }) => retryAfter ?? 0);
  return waits.length > 0 ? Math.min(...waits) || undefined : undefined;
}
