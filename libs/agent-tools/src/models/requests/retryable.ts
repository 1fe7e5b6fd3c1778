const RETRYABLE_STATUS = new Set([408, 409, 429]);
const RETRYABLE_CODE =
  /overloaded|rate.?limit|timeout|unavailable|server.?error|api_error|exhausted|throttling/i;

/** A 429 as well, of an account without credit: that does not come with time. */
const FINAL_CODE = /insufficient_quota/i;

export function isRetryableStatus(status: number, code = ''): boolean {
  return !FINAL_CODE.test(code) && (status >= 500 || RETRYABLE_STATUS.has(status));
}

export function isRetryableCode(code: string): boolean {
  return RETRYABLE_CODE.test(code);
}

/** What to do about an HTTP status; empty if nobody can say. */
export function remedyFor(status = 0): string {
  if (status >= 300 && status < 400) {
    return 'It leads elsewhere, which is not followed: give the address there as `baseURL`.';
  }
  if (status === 401 || status === 403) return 'Check the API key and what it may do.';
  return status === 404 ? 'Check the name of the model and the base URL.' : '';
}
