import type { ToolResultPart } from 'nestjs-agent-tools';
import { splitWords } from './word.normalizer.js';

/** Says in a sentence what came of a call. */
export function narrate({ name, status, content }: ToolResultPart, args = '{}'): string {
  const text = plainText(content);
  if (status === 'error') return `${name} failed: ${text}`;
  if (status !== 'success') return `${name} was ${status}.`;
  const [title, asked] = [splitWords(name).join(' '), flatten(parse(args))];
  const said = `${title.charAt(0).toUpperCase()}${title.slice(1)}${asked && ` (${asked})`}: ${flatten(parse(text)) || 'none'}`;
  return said.replace(/[^.!?]$/, '$&.');
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

function flatten(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Object(value) !== value) return String(value ?? 'none');
  const parts = Object.entries(value as object).map(([key, part]) => {
    const text = Object(part) === part ? `(${flatten(part)})` : flatten(part);
    return Array.isArray(value) ? text : `${splitWords(key).join(' ')}: ${text}`;
  });
  if (!Array.isArray(value)) return parts.join(', ');
  return [`${value.length} found`, parts.slice(0, 3).join('; ')].join(parts.length > 0 ? ': ' : '');
}
