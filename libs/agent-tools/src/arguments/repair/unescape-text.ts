import { LooseJsonException } from '../json/loose-json.exception.js';

/** Takes an object out of quotes around the whole of it, or out of the escapes of quotes that are lost. */
export function unescapeText(text: string, repairs: Set<string>): string {
  const trimmed = text.trim();
  const quote = quoteAround(trimmed);
  const isEscaped = /^\{\s*\\"/.test(trimmed);
  if (quote === undefined && !isEscaped) return text;
  const inner = quote === undefined ? trimmed : trimmed.slice(1, -1);
  const escaped = `\\${quote ?? '"'}`;
  const decoded = inner.replaceAll(escaped, quote ?? '"');
  // Any other backslash belongs to the inner text or to the escapes of the outer one.
  if (inner.replaceAll(escaped, '').includes('\\')) {
    throw new LooseJsonException(
      'it is encoded twice, and its backslashes can be read in two ways',
    );
  }
  repairs.add('decoded text that was encoded twice');
  return decoded;
}

function quoteAround(text: string): string | undefined {
  const [quote] = text;
  if ((quote !== '"' && quote !== "'") || !text.endsWith(quote)) return undefined;
  const inner = text.slice(1, -1).trim();
  return inner.startsWith('{') && inner.endsWith('}') ? quote : undefined;
}
