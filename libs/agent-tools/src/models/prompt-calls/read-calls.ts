import type { TextCall } from '../text-calls/text-call.parser.js';
import { isRecord } from '../../utils/is-record.js';
import { ARGUMENT_KEYS, CALL_KEYS, NAME_KEYS } from './call.keys.js';
import { fieldsOf, objectsOf } from './json.fields.js';

/**
 * Reads one call or several out of JSON text. Arguments stay as they are written.
 *
 * @param isMarked whether markup says that it is a call: then broken JSON is one, too, as long as it
 * has the name of a tool, so that the model is told
 */
export function readCalls(
  text: string,
  names: ReadonlySet<string>,
  isMarked: boolean,
): TextCall[] | undefined {
  const { objects, rest } = objectsOf(text.trim());
  if (objects.length === 0 || (!isMarked && rest !== '')) return undefined;
  const calls: TextCall[] = [];
  for (const object of objects) {
    const call = readCall(object, names, isMarked);
    if (!call) return undefined;
    calls.push(call);
  }
  return calls;
}

function readCall(
  object: string,
  names: ReadonlySet<string>,
  isMarked: boolean,
): TextCall | undefined {
  const outer = fieldsOf(object);
  const wrapped = outer.get('function')?.startsWith('{') ? outer.get('function') : undefined;
  const fields = wrapped === undefined ? outer : fieldsOf(wrapped);
  const name = unquote(valueOf(fields, NAME_KEYS) ?? '');
  if (!names.has(name)) return undefined;
  const value = valueOf(fields, ARGUMENT_KEYS);
  if (isMarked)
    return { name, arguments: value === undefined ? restOf(object, fields) : decode(value) };
  if (value === undefined || hasOthers(outer) || hasOthers(fields)) return undefined;
  const args = decode(value);
  return isJson(object) && isInput(args) ? { name, arguments: args } : undefined;
}

/** Without arguments it is a call of a tool that needs none, or they were written beside the name. */
function restOf(object: string, fields: ReadonlyMap<string, string>): string {
  return !hasOthers(fields) && isJson(object) ? '' : object;
}

function hasOthers(fields: ReadonlyMap<string, string>): boolean {
  for (const key of fields.keys()) if (!CALL_KEYS.has(key)) return true;
  return false;
}

function valueOf(fields: ReadonlyMap<string, string>, keys: readonly string[]): string | undefined {
  for (const key of keys) if (fields.has(key)) return fields.get(key);
  return undefined;
}

function unquote(text: string): string {
  return text.replace(/^["']|["']$/g, '');
}

/** Some write the arguments as JSON text within the JSON. */
function decode(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}

/** An object that is not the schema of a tool, or nothing at all. */
function isInput(args: string): boolean {
  if (args.trim() === '') return true;
  try {
    const value: unknown = JSON.parse(args);
    if (value === null) return true;
    return isRecord(value) && !(value.type === 'object' && isRecord(value.properties));
  } catch {
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
