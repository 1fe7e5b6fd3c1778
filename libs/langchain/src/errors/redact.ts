const REDACTED = '[redacted]';
const SECRET_FIELD = /key|token|secret|password|credential/i;
/** Shorter values are not secret, and would tear holes into ordinary words. */
const MIN_LENGTH = 8;

/** What keys look like that providers put, often masked, into their error texts. */
const KEY_LIKE = [
  /\b(?:sk|rk|pk|gsk|csk|xai|hf|nvapi|pplx|r8)[-_][\w*.-]{6,}/g,
  /\bAIza[\w-]{20,}/g,
  /\b(?:Bearer|Basic)\s+[\w+/=.~*-]{16,}/gi,
  /(?<=\/\/)[^\s/@:]+:[^\s/@]+(?=@)/g,
  /(?<=\b(?:api[-_]?key|access[-_]token|key)=)[^\s&"']+/gi,
];

/** Removes what looks like a credential, and those that a LangChain model holds in its own fields. */
export function redact(text: string, model: object): string {
  const known = Object.entries(model)
    .filter(([name, value]) => SECRET_FIELD.test(name) && typeof value === 'string')
    .map(([, value]) => value as string)
    .filter((value) => value.length >= MIN_LENGTH)
    .reduce((rest, value) => rest.replaceAll(value, REDACTED), text);
  return KEY_LIKE.reduce((rest, pattern) => rest.replace(pattern, REDACTED), known);
}
