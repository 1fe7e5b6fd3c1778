import type { ToolCallPart, ToolResultPart } from 'nestjs-agent-tools';
import { splitWords } from './word.normalizer.js';

/** Says in a sentence what came of a call. */
export function narrate({ name, status, content }: ToolResultPart, call?: ToolCallPart): string {
  const parts =
    typeof content === 'string'
      ? [content]
      : content.map((part) => (part.type === 'text' ? part.text : 'an image'));
  if (status === 'error') return `${name} failed: ${parts.join(' ')}`;
  if (status !== 'success') return `${name} was ${status}.`;
  const asked = splitWords(name)
    .join(' ')
    .replace(/^./, (letter) => letter.toUpperCase());
  const values = Object.values(Object(parse(call?.arguments ?? '')))
    .map(flatten)
    .join(', ');
  return `${asked}${values && ` (${values})`}: ${flatten(parse(parts.join(' ')))}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function flatten(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Object(value) !== value) return String(value ?? '') || 'none';
  const inner = (part: unknown) => (Object(part) === part ? `(${flatten(part)})` : flatten(part));
  if (!Array.isArray(value))
    return Object.entries(value as object)
      .map(([key, part]) => `${splitWords(key).join(' ')}: ${inner(part)}`)
      .join(', ');
  const items = value.slice(0, 3).map(inner).join(', ');
  return `${value.length} found${items && `: ${items}`}${value.length > 3 ? ', …' : ''}`;
}
