import { readLooseString } from '../json/loose-string.reader.js';

const ENCODED = 'decoded text that was encoded twice';

/** Takes an object out of quotes around the whole of it, escaped or not. */
export function unescapeText(text: string, repairs: Set<string>): string {
  const trimmed = text.trim();
  const inner = /^\{\s*\\"/.test(trimmed) ? decode(`"${trimmed}"`) : unquote(trimmed);
  if (inner === undefined) return text;
  repairs.add(ENCODED);
  return inner;
}

function unquote(text: string): string | undefined {
  if (!/^["']\s*\{[^]*\}\s*["']$/.test(text)) return undefined;
  const isPlain = text[0] === '"' && text.endsWith('"') && !text.includes('\\');
  return isPlain ? text.slice(1, -1) : decode(text);
}

function decode(quoted: string): string | undefined {
  try {
    const { value, end } = readLooseString(quoted, 0);
    return end === quoted.length ? value : undefined;
  } catch {
    // Not one string: the text is read as it is.
    return undefined;
  }
}
