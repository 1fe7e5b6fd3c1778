const REDACTED = '[redacted]';
const SECRET_HEADER = /auth|key|token|secret|cookie|credential|signature|pass|session/i;
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

  /** @param url Where the request goes; a key may be in it as well. */
  constructor(headers: Headers, url = '') {
    const given = [...headers]
      .filter(([name]) => isSecretHeader(name))
      .flatMap(([, value]) => [value, value.replace(/^\S+\s+/, '')]);
    const values = [...given, ...secretsIn(url)].filter((value) => value.length >= MIN_LENGTH);
    const forms = new Set(values.flatMap(formsOf));
    this.values = [...forms].toSorted((a, b) => b.length - a.length);
  }

  redact(text: string): string {
    const known = this.values.reduce((rest, value) => rest.replaceAll(value, REDACTED), text);
    return KEY_LIKE.reduce((rest, pattern) => rest.replace(pattern, REDACTED), known);
  }
}

/** As a server may repeat it: in a JSON text, in one within another, in an address, in Base64. */
function formsOf(value: string): string[] {
  const escaped = escape(value);
  const base64 = Buffer.from(value).toString('base64');
  const encoded = [encodeURIComponent(value.toWellFormed()), base64, base64.replace(/=+$/, '')];
  return [value, escaped, escape(escaped), ...encoded];
}

function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function secretsIn(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { username, password, searchParams } = new URL(url);
  const fields = [...searchParams].filter(([name]) => isSecretHeader(name));
  return [username, password, ...fields.map(([, value]) => value)].flatMap((value) => [
    value,
    decode(value),
  ]);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
