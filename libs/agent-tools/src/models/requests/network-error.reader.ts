interface Reason {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}

const MAX_DEPTH = 5;
const NETWORK_CODE = /^(?:E(?:CONN|PIPE|AI_|NOTFOUND|TIMEDOUT|HOSTUNREACH|NETUNREACH)|UND_ERR_)/;
const NETWORK_TEXT =
  /fetch failed|network|terminated|socket|cannot connect|connection error|timed? ?out/i;

/**
 * Whether what a call threw is a failure of the network, by its code, name or text or those of its causes.
 *
 * @publicApi
 */
export function isNetworkError(error: unknown): boolean {
  let reason = error;
  for (let depth = 0; depth < MAX_DEPTH && isReason(reason); depth++) {
    const { code, name, message } = reason;
    if (typeof code === 'string' && NETWORK_CODE.test(code)) return true;
    if (name === 'TimeoutError') return true;
    if (typeof message === 'string' && NETWORK_TEXT.test(message)) return true;
    reason = reason.cause;
  }
  return false;
}

/**
 * Whether what `fetch` threw is worth a second try. What can never be sent (an invalid URL, a bug in a
 * replaced `fetch`) is not.
 */
export function isTransient(error: unknown): boolean {
  if (!isReason(error)) return false;
  const code = (isReason(error.cause) ? error.cause.code : undefined) ?? error.code;
  if (typeof code === 'string') return !code.startsWith('ERR_');
  return error.cause !== undefined || NETWORK_TEXT.test(toText(error));
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
