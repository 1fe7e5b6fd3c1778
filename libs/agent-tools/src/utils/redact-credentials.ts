const REDACTED = '***';

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${REDACTED}@`],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${REDACTED}`],
  [
    /\b([\w-]*(?:api[-_]?key|token|secret|passw(?:or)?d|authorization|credential)s?)(["']?\s*[:=]\s*["']?)[^\s"',;&)}\]]+/gi,
    `$1$2${REDACTED}`,
  ],
  [/\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][\w-]{8,}/g, REDACTED],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, REDACTED],
];

/** Cuts out of a text what looks like a credential: user info of URLs, bearer tokens, keys, passwords. */
export function redactCredentials(text: string): string {
  return PATTERNS.reduce(
    (result, [pattern, replacement]) => result.replace(pattern, replacement),
    text,
  );
}

const SECRET_NAME =
  /passw(or)?d|passphrase|secret|token|api[-_]?key|authorization|credential|\bpin\b|cvv|cvc/i;

/** Whether the name of a field says that its value is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
