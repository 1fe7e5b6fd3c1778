const HEADER = /auth|key|token|secret|cookie|credential|signature/i;
/** Whole names, and such as are written in one word. */
const FIELD =
  /^(?:(?:api|access|auth|bearer|client|id|private|refresh|secret(?:access)?|session)(?:key|token|secret)|auth|authorization|credentials?|sig|signature|x-(?:amz|goog)-(?:signature|credential))$/i;
/** As the last word of a name. `max_tokens` and other counts are plural. */
const LAST_WORD = new Set(['key', 'token', 'secret', 'password', 'passwd', 'passphrase']);
/** What stands before `key` or `token` where it gives access to nothing. */
const HARMLESS = new Set(['cache', 'foreign', 'page', 'partition', 'primary', 'public', 'sort']);

/** Whether the value of a header is likely a credential. */
export function isSecretHeader(name: string): boolean {
  return HEADER.test(name);
}

/** Whether the value of a query parameter or of a field of a body is likely a credential. */
export function isSecretField(name: string): boolean {
  if (FIELD.test(name)) return true;
  const [last = '', before = ''] = wordsOf(name).toReversed();
  return LAST_WORD.has(last) && !HARMLESS.has(before);
}

function wordsOf(name: string): string[] {
  const spaced = name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ');
  return spaced
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
}
