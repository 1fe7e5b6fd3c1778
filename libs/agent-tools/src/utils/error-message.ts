/**
 * A text for anything that was thrown: its message, else the name of its class, else its JSON. Never
 * throws: what is thrown may be anything, getters that throw included.
 */
export function errorMessage(error: unknown): string {
  try {
    return textOf(error) || UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

/** The stack, if there is one. */
export function errorStack(error: unknown): string | undefined {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    return typeof stack === 'string' ? stack : undefined;
  } catch {
    return undefined;
  }
}

const UNKNOWN = 'unknown error';

function textOf(error: unknown): string | undefined {
  if (typeof error === 'string') return error;
  if (!(error instanceof Error)) return JSON.stringify(error) ?? UNKNOWN;
  const texts: unknown[] = [error.message, error.name, error.constructor.name];
  return texts.find((text): text is string => typeof text === 'string' && text !== '');
}
