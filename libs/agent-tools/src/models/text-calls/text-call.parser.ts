import { isRecord } from '../../utils/is-record.js';
import type { CallKeys } from './call.keys.js';
import type { TextCall } from './interfaces/text-call.interface.js';
import { takeApart } from './written-call.js';

/**
 * Reads `{"name", "arguments"}`, if the name is one of the tools and nothing makes it data. Arguments
 * stay as they are written.
 */
export function parseTextCall(
  json: string,
  names: ReadonlySet<string>,
  keys: CallKeys,
): TextCall | undefined {
  if (!json.startsWith('{') || parse(json) === undefined) return undefined;
  const call = takeApart(json, names, keys);
  if (!call?.isKnown || call.args.length === 0) return undefined;
  const args = call.args.map(decode);
  if (!args.every((text) => isInput(text, keys.wantObjects))) return undefined;
  return { name: call.name, arguments: call.isClear ? args[0] : unreadable(json) };
}

/**
 * In place of arguments with which a tool must not run: the bracket that nothing closes keeps them from
 * being read and from being repaired, so that the model is told, with what it wrote.
 */
export function unreadable(object: string): string {
  return `[${object}`;
}

/** Some write the arguments as JSON text within the JSON. */
export function decode(value: string): string {
  const text = value.startsWith('"') ? parse(value) : undefined;
  return typeof text === 'string' ? text : value;
}

/** Undefined if it is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Nothing at all, or what is not the schema of a tool. */
function isInput(args: string, wantsObject: boolean): boolean {
  if (args.trim() === '') return true;
  const value = parse(args);
  if (value === null) return true;
  if (!isRecord(value)) return !wantsObject;
  return value.type !== 'object' || !isRecord(value.properties);
}
