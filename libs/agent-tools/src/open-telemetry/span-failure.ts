import { errorMessage, errorStack } from '../utils/error-message.js';
import { redactCredentials } from '../utils/redact-credentials.js';

/** What was thrown, as far as a span may tell it. */
export interface Thrown {
  readonly error: unknown;
  /** Name of its class. */
  readonly type: string;
  /** Its message is written for the model, so it is content. */
  readonly isContent: boolean;
}

/** Why a span ended with an error. */
export interface SpanFailure {
  /** The value of `error.type`. */
  readonly type: string;
  readonly thrown?: Thrown;
}

/** What the conventions want for an error without a class. */
const OTHER = '_OTHER';

export function errorType(error: unknown): string {
  try {
    // Test runners have an Error of their own, of which a DOMException is none.
    if (!(error instanceof Error || error instanceof DOMException)) return OTHER;
    const type: unknown = error.name === 'Error' ? error.constructor.name : error.name;
    return typeof type === 'string' && type !== '' ? type : OTHER;
  } catch {
    return OTHER;
  }
}

export function messageOf({ error, isContent }: Thrown): string | undefined {
  return isContent ? undefined : redactCredentials(errorMessage(error));
}

/** A stack begins with the message. */
export function stackOf({ error, type, isContent }: Thrown): string | undefined {
  const stack = errorStack(error);
  if (stack === undefined) return undefined;
  if (!isContent) return redactCredentials(stack);
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return [type, ...frames].join('\n');
}
