import { redactShapes } from './credential-shapes.js';
import { cutText } from './cut-text.js';

const REDACTED = '***';

/** Credentials that only what stands before them tells. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic|token)\s{1,8}[\w.~+/=-]{6,500}/gi, `$1 ${REDACTED}`],
  [
    /(?<![\w-])([\w-]{0,64}(?:api[-_]?key|token|secret|passw(?:or)?d|pwd|authorization|cookie|credential)s?)(\\{0,3}["']?\s{0,8}[:=]\s{0,8}\\{0,3})(?:"[^"]{1,500}"|'[^']{1,500}'|[^\s"',;&)}\]]{1,500})/gi,
    `$1$2${REDACTED}`,
  ],
];

/** Much longer texts are not messages, and a model can make one as long as it likes. */
const MAX_LENGTH = 20_000;

/**
 * Cuts out of a text what looks like a credential: user info of URLs, bearer tokens, keys, passwords.
 * Texts are cut to 20,000 characters. Every repetition in the patterns is bounded, because they run on
 * texts that a model may have written to keep the process busy.
 */
export function redactCredentials(text: string): string {
  return NAMED.reduce(
    (result, [pattern, replacement]) => result.replace(pattern, replacement),
    redactShapes(cutText(text, MAX_LENGTH), REDACTED),
  );
}

/** Parts of names that say of a field that its value is a secret, and whole words of that kind. */
const SECRET_PART =
  /passw(?:or)?d|passphrase|passcode|pincode|secret|(?:api|access|private)[-_ ]?key|authorization|credential|cookie|token/i;
const SECRET_WORD =
  /(?<![a-zA-Z])(?:pin|cvv|cvc|pwd|otp|pass|auth|jwt|bearer|[Pp]in|[Cc]vv|PIN|CVV|CVC|PWD|OTP|JWT)(?![a-z])|(?<=[a-z])(?:Pin|Cvv|Cvc|Pwd|Otp|Pass|Auth|Jwt)(?![a-z])/;

/** Whether the name of a field says that its value is a secret. */
export function isSecretName(name: string): boolean {
  return secretNameAt(name) >= 0;
}

/** Where in a text the first such name stands; -1 if there is none. */
export function secretNameAt(text: string): number {
  const places = [text.search(SECRET_PART), text.search(SECRET_WORD)].filter((at) => at >= 0);
  return places.length > 0 ? Math.min(...places) : -1;
}
