/** Shorter values are not secret, and would tear holes into ordinary words. */
const MIN_LENGTH = 6;

/**
 * Secrets in each form in which a server may repeat them: as they are, in a JSON text, in one within another,
 * in an address or a form, in Base64. The longest comes first, as one may be a part of another; those of
 * fewer than 6 characters are left out.
 *
 * @publicApi
 */
export function secretForms(values: Iterable<string>): string[] {
  const secrets = [...values].filter((value) => value.length >= MIN_LENGTH);
  return [...new Set(secrets.flatMap(formsOf))].toSorted((a, b) => b.length - a.length);
}

function formsOf(value: string): string[] {
  const escaped = escape(value);
  const base64 = Buffer.from(value).toString('base64');
  const form = new URLSearchParams({ v: value }).toString().slice('v='.length);
  const percent = encodeURIComponent(value.toWellFormed());
  return [value, escaped, escape(escaped), percent, form, base64, base64.replace(/=+$/, '')];
}

function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
