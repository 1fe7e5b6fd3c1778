import { MAX_RESULT_LENGTH } from '../../agent-tools.constants.js';
import type { ToolResultContentPart } from '../../models/interfaces/chat-message.interface.js';
import { cutText } from '../../utils/cut-text.js';
import { ToolResult } from '../../tools/tool-result.js';

type Content = string | readonly ToolResultContentPart[];

const NO_OUTPUT = '(no output)';

/** What the model reads for the value that a tool returned. Never empty. */
export function convertResult(value: unknown, maxLength = MAX_RESULT_LENGTH): Content {
  if (value === undefined) return 'Success';
  if (typeof value === 'string') return toText(value, maxLength);
  if (value instanceof ToolResult) return convertContent(value.content, maxLength);
  if (isContentParts(value)) return convertContent(value, maxLength);
  return toText(toJson(value), maxLength);
}

function convertContent(content: Content, maxLength: number): Content {
  if (typeof content === 'string') return toText(content, maxLength);
  if (content.length === 0) return NO_OUTPUT;
  let left = maxLength;
  return content.flatMap((part): ToolResultContentPart[] => {
    if (part.type !== 'text') return [part];
    // One notice is enough.
    if (left <= 0) return [];
    const text = toText(part.text, left);
    left -= part.text.length;
    return [{ ...part, text }];
  });
}

/** What an ending says, cut to the length that the model gets: texts of errors come from anywhere. */
export function shortened<Ending extends { readonly content: Content }>(
  ending: Ending,
  maxLength: number,
): Ending {
  return { ...ending, content: convertContent(ending.content, maxLength) };
}

/** An array is content only if every item is a known part; anything else is data. */
function isContentParts(value: unknown): value is readonly ToolResultContentPart[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (part: Partial<{ type: string; text: unknown; url: unknown }> | null) =>
        (part?.type === 'text' && typeof part.text === 'string') ||
        (part?.type === 'image' && typeof part.url === 'string'),
    )
  );
}

/** A text that every provider takes: not empty, well-formed, of a limited length. */
function toText(text: string, maxLength: number): string {
  if (text === '') return NO_OUTPUT;
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  if (wellFormed.length <= maxLength) return wellFormed;
  const cut = cutText(wellFormed, maxLength);
  return `${cut}\n[cut: the first ${cut.length} of ${wellFormed.length} characters]`;
}

/** JSON that never throws on a value that code may hold: bigints, maps, sets, errors, cycles. */
function toJson(value: unknown): string {
  // A replacer makes JSON.stringify many times slower, and most results need none.
  if (isPlain(value, 0)) return JSON.stringify(value);
  try {
    return JSON.stringify(value, replaceExotic) ?? describeUnprintable(value);
  } catch (error) {
    // A cycle through a map or a set has no end for JSON.stringify.
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
    return JSON.stringify(withoutCycles(value, [])) ?? describeUnprintable(value);
  }
}

/** Deeper values may be cycles. */
const MAX_PLAIN_DEPTH = 20;

/** Whether a value consists only of what JSON knows. */
function isPlain(value: unknown, depth: number): boolean {
  if (value === null) return true;
  const type = typeof value;
  if (type === 'string' || type === 'number' || type === 'boolean') return true;
  if (type === 'undefined') return depth > 0;
  if (type !== 'object') return false;
  if (depth > MAX_PLAIN_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in value) {
    if (!isPlain((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

function replaceExotic(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Map) return mapToJson(value);
  if (value instanceof Set) return [...value];
  if (value instanceof Error) return { name: value.name, message: value.message };
  return value;
}

function mapToJson(map: ReadonlyMap<unknown, unknown>): unknown {
  const hasTextKeys = [...map.keys()].every((key) => typeof key === 'string');
  return hasTextKeys ? Object.fromEntries(map) : [...map];
}

function withoutCycles(value: unknown, parents: readonly object[]): unknown {
  if (value === null || typeof value !== 'object') return replaceExotic('', value);
  if (parents.includes(value)) return '[circular]';
  const plain = replaceExotic('', value) as object;
  const toJSON = (plain as { toJSON?: () => unknown }).toJSON;
  if (typeof toJSON === 'function') return toJSON.call(plain);
  const path = [...parents, value];
  if (Array.isArray(plain)) return plain.map((item) => withoutCycles(item, path));
  return Object.fromEntries(
    Object.entries(plain).map(([key, item]) => [key, withoutCycles(item, path)]),
  );
}

function describeUnprintable(value: unknown): string {
  return `(a ${typeof value} without a text form)`;
}
