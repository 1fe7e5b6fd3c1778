const REDACTED = '[redacted]';
const SECRET_HEADER = /auth|key|token|secret|cookie|credential|signature/i;
/** Shorter values are not secret, and would tear holes into ordinary words. */
const MIN_LENGTH = 6;

/** What keys look like that providers put into their own error texts. */
const KEY_LIKE = [
  /\b(?:sk|rk|pk|gsk|csk|xai|hf|nvapi|pplx|r8)[-_][\w*.-]{6,500}/g,
  /\bAIza[\w-]{20,100}/g,
  /\b(?:Bearer|Basic)\s{1,8}[\w+/=.~*-]{16,2000}/gi,
  /(?<=\/\/)[^\s/@:]{1,200}:[^\s/@]{1,200}(?=@)/g,
  /(?<=\b(?:api[-_]?key|access[-_]token|key)=)[^\s&"']{1,500}/gi,
];

/**
 * Cuts credentials out of a text about a request.
 *
 * @param headers Those of the request, as far as they are known: the key itself is held by the provider.
 */
export function redact(text: string, headers: Readonly<Record<string, string>> = {}): string {
  const known = Object.entries(headers)
    .filter(([name]) => SECRET_HEADER.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\S+\s+/, '')])
    .filter((value) => value.length >= MIN_LENGTH)
    .reduce((rest, value) => rest.replaceAll(value, REDACTED), text);
  return KEY_LIKE.reduce((rest, pattern) => rest.replace(pattern, REDACTED), known);
}
