import { isSecretField, isSecretHeader } from './secret.names.js';

/** The credentials of a request: the values of its headers, its URL and its body that are named like some. */
export function readSecrets(headers: Headers, url: URL, json: unknown): string[] {
  return [...headerSecrets(headers), ...urlSecrets(url), ...bodySecrets(json)];
}

function* headerSecrets(headers: Headers): Generator<string> {
  for (const [name, value] of headers) {
    if (!isSecretHeader(name)) continue;
    yield value;
    const [scheme, ...rest] = value.split(/\s+/);
    yield rest.join(' ');
    if (scheme.toLowerCase() === 'basic') yield* basicSecrets(rest.join(''));
    if (name === 'cookie') yield* value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1));
  }
}

function* basicSecrets(encoded: string): Generator<string> {
  const text = Buffer.from(encoded, 'base64').toString();
  yield text;
  yield text.slice(text.indexOf(':') + 1);
}

function* urlSecrets({ username, password, searchParams }: URL): Generator<string> {
  yield decode(username);
  yield decode(password);
  for (const [name, value] of searchParams) if (isSecretField(name)) yield value;
}

function* bodySecrets(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value) as [string, unknown][]) {
    if (typeof item === 'string' && isSecretField(name)) yield item;
    yield* bodySecrets(item);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
