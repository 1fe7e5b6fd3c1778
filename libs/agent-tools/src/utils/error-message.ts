/** A text for anything that was thrown: its message, else the name of its class, else its text. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message || error.name || error.constructor.name;
  if (typeof error === 'string' && error !== '') return error;
  return error === undefined ? 'unknown error' : safeString(error);
}

function safeString(value: unknown): string {
  try {
    return JSON.stringify(value) ?? `a thrown ${typeof value}`;
  } catch {
    return 'unknown error';
  }
}
