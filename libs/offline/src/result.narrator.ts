import type { ToolCallPart, ToolResultPart } from 'nestjs-agent-tools';
import { splitWords } from './word.normalizer.js';

const SHOWN_ITEMS = 3;

/** Says the result of a call in a sentence. */
export function narrate({ name, status, content }: ToolResultPart, call?: ToolCallPart): string {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
  const text = parts.map((part) => (part.type === 'text' ? part.text : '(an image)')).join(' ');
  if (status === 'error') return `${name} failed: ${text}`;
  if (status !== 'success') return `${name} was ${status}.`;
  const asked = Object.values(Object(parse(call?.arguments ?? ''))).map(flatten);
  const title = splitWords(name).join(' ');
  const subject = asked.length > 0 ? ` (${asked.join(', ')})` : '';
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}${subject}: ${flatten(parse(text))}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function flatten(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return String(value);
  const inner = (part: unknown) => (Object(part) === part ? `(${flatten(part)})` : flatten(part));
  if (Array.isArray(value)) {
    const items = value.slice(0, SHOWN_ITEMS).map(inner).join(', ');
    return `${value.length} found${items && `: ${items}`}${value.length > SHOWN_ITEMS ? ', …' : ''}`;
  }
  return Object.entries(value)
    .map(([key, part]) => `${splitWords(key).join(' ') || key}: ${inner(part)}`)
    .join(', ');
}
