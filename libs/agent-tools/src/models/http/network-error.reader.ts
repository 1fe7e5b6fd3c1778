interface Reason {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}

/** What can never be sent (an invalid URL, a bug in a replaced `fetch`) is not worth a second try. */
export function isTransient(error: unknown): boolean {
  if (!isReason(error)) return false;
  const code = (isReason(error.cause) ? error.cause.code : undefined) ?? error.code;
  if (typeof code === 'string') return !code.startsWith('ERR_');
  return error.cause !== undefined || /fetch failed|network|terminated|socket/i.test(toText(error));
}

/** `fetch` says "fetch failed" or "terminated" and puts the reason into the cause. */
export function readNetworkError(error: unknown): string {
  if (!isReason(error)) return String(error);
  const reason = isReason(error.cause) ? toText(error.cause) : '';
  return reason ? `${toText(error)} (${reason})` : toText(error);
}

/** Failures to connect to several addresses at once have no message, only a code. */
function toText({ message, code }: Reason): string {
  return [message, code].find((text) => typeof text === 'string' && text !== '')?.toString() ?? '';
}

function isReason(value: unknown): value is Reason {
  return typeof value === 'object' && value !== null;
}
