import type { SchemaShape } from '../schemas/shape/schema-shape.js';
import { errorMessage } from '../utils/error-message.js';
import { cutText } from '../utils/cut-text.js';
import { MAY_BE_INEXACT } from './json/exact-number.js';
import { LooseJsonException } from './json/loose-json.exception.js';
import { parseJson, withoutProto } from './json/parse-json.js';
import { quoteSafely } from './quote-safely.js';
import { repairText } from './repair/repair-text.js';
import { isRecord } from '../utils/is-record.js';

/** The arguments of a call as an object, or why they cannot be used. */
export type ParsedArguments =
  | {
      readonly input: Record<string, unknown>;
      /** What was read otherwise than written, a line each, without values. */
      readonly repairs: readonly string[];
      /** Whether they came as JSON text of an object. */
      readonly isJson: boolean;
      /** Whether a number in it may have more digits than JavaScript keeps. */
      readonly mayBeInexact: boolean;
    }
  | { readonly problem: string };

/** Arguments are encoded twice by mistake, but not more often. */
const MAX_DECODINGS = 2;
const SHORT_LENGTH = 10_000;
const NO_REPAIRS: readonly string[] = [];
const ENCODED_TWICE = 'decoded text that was encoded twice';

/**
 * Reads the arguments of a call: JSON text of an object, or the object itself. Blank text and
 * `null` are a call without arguments. Text that is not JSON is repaired where there is no doubt.
 *
 * @param isCutOff whether the model was cut off, with which nothing is repaired and nothing left out:
 * half a value would pass for a whole one
 * @param shape of the input of the tool, if there is one
 */
export function parseArguments(
  raw: unknown,
  isCutOff = false,
  shape?: SchemaShape,
): ParsedArguments {
  if (raw === undefined || raw === null) return none(isCutOff);
  if (typeof raw === 'string') return parseText(raw, isCutOff, shape);
  return isPlain(raw) ? copyOf(raw, shape) : notAnObject(raw, shape);
}

function none(isCutOff: boolean): ParsedArguments {
  if (isCutOff) return { problem: 'they were cut off before they began' };
  return { input: {}, repairs: NO_REPAIRS, isJson: false, mayBeInexact: false };
}

function parseText(
  text: string,
  isCutOff: boolean,
  shape: SchemaShape | undefined,
): ParsedArguments {
  if (text.trim() === '') return none(isCutOff);
  const mayBeInexact = MAY_BE_INEXACT.test(text);
  let value: unknown;
  try {
    value = parseJson(text, mayBeInexact);
  } catch (error) {
    const isFinal = isCutOff || error instanceof RangeError;
    return isFinal ? unreadable(text, error, shape) : repair(text, text, shape, new Set());
  }
  if (value === null) return none(isCutOff);
  if (typeof value === 'string' && !isCutOff) return decode(text, value, shape);
  if (!isRecord(value)) return notAnObject(value, shape);
  return { input: value, repairs: NO_REPAIRS, isJson: true, mayBeInexact };
}

/** @param whole the text that the arguments came as */
function repair(
  whole: string,
  text: string,
  shape: SchemaShape | undefined,
  repairs: Set<string>,
): ParsedArguments {
  try {
    const value = repairText(text, shape, repairs);
    if (!isRecord(value)) return notAnObject(value, shape);
    return { input: value, repairs: [...repairs], isJson: false, mayBeInexact: true };
  } catch (error) {
    return unreadable(whole, error, shape);
  }
}

/** Text within the text: the arguments were encoded twice. */
function decode(text: string, inner: string, shape: SchemaShape | undefined): ParsedArguments {
  let value: unknown = inner;
  try {
    for (let count = 0; count < MAX_DECODINGS && typeof value === 'string'; count++) {
      value = parseJson(value);
    }
  } catch {
    if (!inner.includes('{')) return notAnObject(text, shape);
    // In text that is neither, a backslash may belong to the inner or to the outer one.
    if (inner.includes("'") && inner.includes('\\')) return unreadable(text, undefined, shape);
    return repair(text, String(value), shape, new Set([ENCODED_TWICE]));
  }
  if (!isRecord(value)) return notAnObject(text, shape);
  return { input: value, repairs: [ENCODED_TWICE], isJson: false, mayBeInexact: true };
}

/** The caller keeps its object: defaults and transforms are written to a copy. */
function copyOf(value: object, shape: SchemaShape | undefined): ParsedArguments {
  try {
    const input: unknown = JSON.parse(JSON.stringify(value, onlyJson), withoutProto);
    if (!isRecord(input)) return notAnObject(input, shape);
    return { input, repairs: NO_REPAIRS, isJson: false, mayBeInexact: false };
  } catch (error) {
    return { problem: `they cannot be written as JSON (${errorMessage(error)})` };
  }
}

function onlyJson(_key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  throw new TypeError(`${value} is no JSON`);
}

function unreadable(text: string, error: unknown, shape: SchemaShape | undefined): ParsedArguments {
  if (error instanceof RangeError) return { problem: 'they are nested too deeply' };
  const doubt = error instanceof LooseJsonException ? ` (${error.message})` : '';
  return { problem: `they are not valid JSON${doubt}: ${quoteSafely(text, shape)}` };
}

function notAnObject(value: unknown, shape?: SchemaShape): ParsedArguments {
  return {
    problem: `they must be a JSON object, but came as ${quoteSafely(shortJson(value), shape)}`,
  };
}

/** A value that is nested very deeply, or is no JSON, has no short form. */
function shortJson(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return cutText(JSON.stringify(value), SHORT_LENGTH);
  } catch {
    return 'something without a JSON form';
  }
}

/** An instance of a class of the application is as good; a Map or a promise has no fields. */
function isPlain(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]';
}
