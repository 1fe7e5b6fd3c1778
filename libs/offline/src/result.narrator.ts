import type { ToolResultPart } from 'nestjs-agent-tools';
import { splitWords } from './word.normalizer.js';

const MAX_ITEMS = 3;

/** Says in a sentence what came of a call. */
export function narrate({ name, status, content }: ToolResultPart, args = '{}'): string {
  const text = plainText(content);
  if (status === 'error') return `${name} failed: ${text}`;
  if (status !== 'success') return `${name} was ${status}.`;
  const asked = Object(parse(args)) as Record<string, unknown>;
  const title = [splitWords(name).join(' '), ...Object.values(asked).map(say)].join(', ');
  const told = parse(text);
  const sentence =
    Object(told) === told && !Array.isArray(told) ? describe(told, asked) : say(told);
  const end = /[.!?]$/.test(sentence) ? '' : '.';
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}: ${sentence}${end}`;
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
function describe(value: unknown, asked: Record<string, unknown>): string {
  const news = Object.entries(value as object).filter(([key, part]) => asked[key] !== part);
  const parts = news.map(([key, part]) => `the ${splitWords(key).join(' ')} is ${say(part)}`);
  return parts.join(', ').replace(/, (?=[^,]*$)/, ' and ') || 'done';
}

function say(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Object(value) !== value) return String(value ?? 'none');
  if (!Array.isArray(value)) return describe(value, {});
  const items = value.slice(0, MAX_ITEMS).map(say).join('; ');
  return value.length > 1 ? `${value.length} found: ${items}` : items || 'none';
}
