import { checkOptionNames, isRecord } from 'nestjs-agent-tools/model-kit';
import type { ScriptedAnswer, ScriptedCall } from '../interfaces/scripted-turn.interface.js';
import { describe } from './check-test-options.js';

type Fields = Readonly<Record<string, unknown>>;

const CALL = ['tool', 'arguments', 'id'] as const satisfies readonly (keyof ScriptedCall)[];
const ANSWER = [
  'text',
  'calls',
  'content',
  'deltas',
  'finishReason',
  'usage',
  'error',
] as const satisfies readonly (keyof ScriptedAnswer | 'error')[];
/** What others call them, in lower case without `_`. */
const MEANT = new Map([
  ['name', 'write `tool`'],
  ['toolname', 'write `tool`'],
  ['function', 'write `tool` and `arguments`'],
  ['args', 'write `arguments`'],
  ['input', 'write `arguments`'],
  ['parameters', 'write `arguments`'],
  ['toolcallid', 'write `id`'],
  ['callid', 'write `id`'],
  ['toolcalls', 'write `calls`'],
  ['stopreason', 'write `finishReason`'],
  ['role', 'leave it out'],
]);
const FORMS =
  'A turn is a text, a call { tool, arguments }, a list of calls, an answer { text, calls } or { error }, or a ' +
  'function that returns one of these.';

/**
 * What nobody reads of a turn would be lost without a word, and a test pass in which nothing was called.
 *
 * @param place Such as `turn at index 0 of scripted()`.
 * @throws TypeError for what is no turn
 */
export function checkTurn(place: string, turn: unknown): void {
  if (typeof turn === 'string' || typeof turn === 'function') return;
  if (Array.isArray(turn)) return checkCalls(place, turn);
  if (!isRecord(turn)) throw new TypeError(`The ${place} is ${describe(turn)}. ${FORMS}`);
  if ('then' in turn || Symbol.asyncIterator in turn) {
    throw new TypeError(
      `The ${place} is a promise or a stream, which only the function of fromFunction() may return. ${FORMS}`,
    );
  }
  if (CALL.some((name) => name in turn)) checkCall(place, turn);
  else checkAnswer(place, turn);
}

function checkAnswer(place: string, answer: Fields): void {
  checkNames(place, answer, ANSWER);
  if (!ANSWER.some((name) => name in answer)) {
    throw new TypeError(`The ${place} is an object that says nothing. ${FORMS}`);
  }
  const { text, calls, content, deltas, finishReason, usage } = answer;
  if (calls !== undefined && !Array.isArray(calls)) refuse(place, 'calls', 'a list of calls');
  if (Array.isArray(calls)) checkCalls(place, calls);
  if (!isTextOrNone(text)) refuse(place, 'text', 'a text');
  if (!isListOrNone(content)) refuse(place, 'content', 'a list of parts; a text is `text`');
  if (!isListOrNone(deltas)) refuse(place, 'deltas', 'a list of the pieces of a stream');
  if (!isTextOrNone(finishReason)) refuse(place, 'finishReason', "a text, such as 'length'");
  if (usage !== undefined && !isRecord(usage)) refuse(place, 'usage', 'an object');
}

function checkCalls(place: string, calls: readonly unknown[]): void {
  calls.forEach((call, index) => checkCall(`call at index ${index} of the ${place}`, call));
}

function checkCall(place: string, call: unknown): void {
  if (!isRecord(call)) {
    throw new TypeError(`The ${place} is ${describe(call)}. A call is { tool, arguments }.`);
  }
  checkNames(place, call, CALL);
  if (typeof call.tool !== 'string') refuse(place, 'tool', 'the name of a tool');
  if (!isTextOrNone(call.id)) refuse(place, 'id', 'a text');
}

function checkNames(place: string, given: Fields, known: readonly string[]): void {
  const meant = Object.keys(given).flatMap((name) => {
    const advice = MEANT.get(name.toLowerCase().replaceAll('_', ''));
    return advice && given[name] !== undefined ? [`\`${name}\`: ${advice}`] : [];
  });
  if (meant.length > 0) {
    throw new TypeError(`The ${place} has ${meant.join('; ')}. ${FORMS}`);
  }
  checkOptionNames(`The ${place}`, given, known, FORMS);
}

function refuse(place: string, name: string, expected: string): never {
  throw new TypeError(`The ${place} must have as \`${name}\` ${expected}.`);
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/** Of objects: a list of texts would be one of nothing. */
function isListOrNone(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isRecord));
}
