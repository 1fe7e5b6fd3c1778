import type { RecordedRequest, RecordTrafficOptions } from '../interfaces/traffic.interface.js';
import { encodeBody } from './recorded-body.js';
import { isSecretField, isSecretHeader } from './secret.names.js';
import { REDACTED, type SecretRedactor } from './secret.redactor.js';
import type { SentRequest } from './sent-request.js';

/** What helps to read a recording, and to replay it. All others may be secret, or change each time. */
const KEPT = new Set([
  'accept',
  'anthropic-beta',
  'anthropic-version',
  'apim-request-id',
  'content-type',
  'openai-beta',
  'openai-version',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'x-request-id',
  'x-should-retry',
]);

export function recordRequest(
  { method, url, headers, body }: SentRequest,
  redactor: SecretRedactor,
  options: RecordTrafficOptions = {},
): RecordedRequest {
  return {
    method,
    uri: toUri(url, redactor),
    headers: keepHeaders(headers, redactor, options),
    body: encodeBody(body, redactor),
  };
}

export function keepHeaders(
  headers: Headers,
  redactor: SecretRedactor,
  { headers: more = [] }: RecordTrafficOptions,
): Record<string, string> {
  const kept = new Set([...KEPT, ...more.map((name) => name.toLowerCase())]);
  const entries = [...headers].filter(([name]) => kept.has(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      isSecretHeader(name) ? REDACTED : redactor.redactText(value),
    ]),
  );
}

function toUri(url: URL, redactor: SecretRedactor): string {
  const uri = new URL(url);
  uri.username = '';
  uri.password = '';
  uri.hash = '';
  for (const name of new Set(uri.searchParams.keys())) {
    if (isSecretField(name)) uri.searchParams.set(name, REDACTED);
  }
  // Readable, and the same whether it is written or compared.
  return redactor.redactText(uri.href.replaceAll('%5Bredacted%5D', REDACTED));
}
