const REDACTED = '[redacted]';
const SECRET_HEADER = /auth|key|token|secret|cookie|credential|signature/i;
/** Shorter values are not secret, and would tear holes into ordinary words. */
const MIN_LENGTH = 6;

/** What keys look like that providers put, often masked, into their own error texts. */
const KEY_LIKE = [
  /\b(?:sk|rk|pk|gsk|csk|xai|hf|nvapi|pplx|r8)[-_][\w*.-]{6,}/g,
  /\bAIza[\w-]{20,}/g,
  /\b(?:Bearer|Basic)\s+[\w+/=.~*-]{16,}/gi,
  /(?<=\/\/)[^\s/@:]+:[^\s/@]+(?=@)/g,
  /(?<=\b(?:api[-_]?key|access[-_]token|key)=)[^\s&"']+/gi,
];

/** Whether the value of a header is likely a credential. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name);
}

/** Removes the credentials of one request from texts about it. */
export class Secrets {
  private readonly values: readonly string[];

  constructor(headers: Headers) {
    const values = [...headers]
      .filter(([name]) => isSecretHeader(name))
      .flatMap(([, value]) => [value, value.replace(/^\S+\s+/, '')])
      .filter((value) => value.length >= MIN_LENGTH);
    this.values = values.toSorted((a, b) => b.length - a.length);
  }

  redact(text: string): string {
    const known = this.values.reduce((rest, value) => rest.replaceAll(value, REDACTED), text);
    return KEY_LIKE.reduce((rest, pattern) => rest.replace(pattern, REDACTED), known);
  }
}
