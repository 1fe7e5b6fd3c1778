import { ALL_KEYS, isDoubtful } from '../text-calls/call.keys.js';
import type { TextCall } from '../text-calls/interfaces/text-call.interface.js';
import { isOnlyClosers, objectsOf } from '../text-calls/json.fields.js';
import { decode, parse, parseTextCall, unreadable } from '../text-calls/text-call.parser.js';
import { takeApart, unquote, type WrittenCall } from '../text-calls/written-call.js';

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
    const call = isMarked ? readMarked(object, names) : parseTextCall(object, names, ALL_KEYS);
    if (!call) return undefined;
    calls.push(call);
  }
  const last = calls.pop();
  if (last) calls.push(isOnlyClosers(rest) ? last : withRest(last, rest));
  return calls;
}

function readMarked(object: string, names: ReadonlySet<string>): TextCall | undefined {
  const call = takeApart(object, names, ALL_KEYS);
  if (!call) return undefined;
  const args = call.isClear ? decode(call.args[0]) : fieldsBeside(call, object, names);
  return { name: call.name, arguments: args ?? unreadable(object) };
}

/** Without arguments it is a call of a tool that needs none, or they were written beside the name. */
function fieldsBeside(
  { args, others, isWhole }: WrittenCall,
  object: string,
  names: ReadonlySet<string>,
): string | undefined {
  if (args.length > 0 || !isWhole || parse(object) === undefined) return undefined;
  if (others.length === 0) return '';
  const isUnclear = others.some(
    ({ key, value }) =>
      isDoubtful(key) || (ALL_KEYS.names.includes(key) && names.has(unquote(value))),
  );
  return isUnclear ? undefined : `{${others.map(({ text }) => text).join(', ')}}`;
}

/** Whether it belongs to the arguments is found out where those are read. */
function withRest({ name, arguments: args }: TextCall, rest: string): TextCall {
  return { name, arguments: `${args.trim() === '' ? '{}' : args} ${rest}` };
}
