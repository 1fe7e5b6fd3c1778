import type { ToolCallPart, ToolResultPart } from 'nestjs-agent-tools';
import { splitWords } from './word.normalizer.js';

const SHOWN_ITEMS = 3;

/** Puts the result of a call into a sentence. */
export function narrate(result: ToolResultPart, call: ToolCallPart | undefined): string {
  const text = textOf(result);
  if (result.status === 'denied') return `${result.name} was denied.`;
  if (result.status === 'interrupted') return `${result.name} was interrupted.`;
  if (result.status === 'error') return `${result.name} failed: ${text}`;
  const value = parse(text);
  const asked = Object.values((parse(call?.arguments ?? '') ?? {}) as object)
    .map(flat)
    .join(', ');
  const title = splitWords(result.name).join(' ');
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}${asked && ` (${asked})`}: ${flat(value ?? text)}`;
}

function textOf({ content }: ToolResultPart): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '(an image)')).join(' ');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function flat(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) return value.join(', ') || 'none';
    const more = value.length > SHOWN_ITEMS ? ', …' : '';
    return `${value.length} found: ${value
      .slice(0, SHOWN_ITEMS)
      .map((item) => `(${flat(item)})`)
      .join(', ')}${more}`;
  }
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(
      ([key, part]) =>
        `${splitWords(key).join(' ') || key}: ${typeof part === 'object' && part && !Array.isArray(part) ? `(${flat(part)})` : flat(part)}`,
    )
    .join(', ');
}
