import type { ToolResultPart } from 'nestjs-agent-tools';
import { splitWords } from './word.normalizer.js';

/** Says in a sentence what came of a call. */
export function narrate({ name, status, content }: ToolResultPart, args = '{}'): string {
  const text = plainText(content);
  if (status === 'error') return `${name} failed: ${text}`;
  if (status !== 'success') return `${name} was ${status}.`;
  const asked = Object(parse(args)) as Record<string, unknown>;
  const values = Object.values(asked).map((it) => say(it));
  const title = [splitWords(name).join(' '), ...values].join(', ');
  const sentence = say(parse(text), asked).replace(/[^.!?]$/, '$&.');
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}: ${sentence}`;
}

export function plainText(content: string | readonly object[]): string {
  if (typeof content === 'string') return content;
  return content.map((part) => ('text' in part ? part.text : '')).join(' ');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** "the status is shipped and the total is 118", without what the question said already. */
function say(value: unknown, asked: Record<string, unknown> = {}): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Object(value) !== value) return String(value ?? 'none');
  if (Array.isArray(value)) {
    const shown = value.slice(0, 3).map((it) => say(it));
    const items = shown.join('; ');
    return value.length > 1 ? `${value.length} found: ${items}` : items || 'none';
  }
  const news = Object.entries(value as object).filter(([key, part]) => asked[key] !== part);
  const parts = news.map(([key, part]) => `the ${splitWords(key).join(' ')} is ${say(part)}`);
  return parts.join(', ').replace(/, (?=[^,]*$)/, ' and ') || 'done';
}
