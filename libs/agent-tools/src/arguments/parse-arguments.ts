import { errorMessage } from '../utils/error-message.js';
import { redactCredentials } from '../utils/redact-credentials.js';
import { cutText } from '../utils/short-text.js';
import { MAY_BE_INEXACT } from './json/exact-number.js';
import { LooseJsonException } from './json/loose-json.exception.js';
import { parseJson } from './json/parse-json.js';
import { repairText } from './repair/repair-text.js';

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

const QUOTED_LENGTH = 200;
/** Arguments are encoded twice by mistake, but not more often. */
const MAX_DECODINGS = 2;
const NO_REPAIRS: readonly string[] = [];
const ENCODED_TWICE = 'decoded text that was encoded twice';

/**
 * Reads the arguments of a call: JSON text of an object, or the object itself. Blank text and
 * `null` are a call without arguments. Text that is not JSON is repaired where there is no doubt.
 *
 * @param isCutOff whether the model was cut off, with which nothing is repaired: half a value would
 * pass for a whole one
 */
export function parseArguments(raw: unknown, isCutOff = false): ParsedArguments {
  if (raw === undefined || raw === null) return none();
  if (typeof raw === 'string') return parseText(raw, isCutOff);
  return isObject(raw) ? copyOf(raw) : notAnObject(raw);
}

function none(): ParsedArguments {
  return { input: {}, repairs: NO_REPAIRS, isJson: false, mayBeInexact: false };
}

function parseText(text: string, isCutOff: boolean): ParsedArguments {
  if (text.trim() === '') return none();
  const mayBeInexact = MAY_BE_INEXACT.test(text);
  let value: unknown;
  try {
    value = parseJson(text, mayBeInexact);
  } catch (error) {
    return isCutOff ? unreadable(text, error) : repair(text, text, new Set());
  }
  if (value === null) return none();
  if (typeof value === 'string' && !isCutOff) return decode(text, value);
  if (!isObject(value)) return notAnObject(value);
  return { input: value, repairs: NO_REPAIRS, isJson: true, mayBeInexact };
}

/** @param whole the text that the arguments came as */
function repair(whole: string, text: string, repairs: Set<string>): ParsedArguments {
  try {
    const value = repairText(text, repairs);
    if (!isObject(value)) return notAnObject(value);
    return { input: value, repairs: [...repairs], isJson: false, mayBeInexact: true };
  } catch (error) {
    return unreadable(whole, error);
  }
}

/** Text within the text: the arguments were encoded twice. */
function decode(text: string, inner: string): ParsedArguments {
  let value: unknown = inner;
  try {
    for (let count = 0; count < MAX_DECODINGS && typeof value === 'string'; count++) {
      value = parseJson(value);
    }
  } catch {
    if (!inner.includes('{')) return notAnObject(text);
    return repair(text, String(value), new Set([ENCODED_TWICE]));
  }
  if (!isObject(value)) return notAnObject(text);
  return { input: value, repairs: [ENCODED_TWICE], isJson: false, mayBeInexact: true };
}

/** The caller keeps its object: defaults and transforms are written to a copy. */
function copyOf(value: object): ParsedArguments {
  try {
    return parseText(JSON.stringify(value), true);
  } catch (error) {
    return { problem: `they cannot be written as JSON (${errorMessage(error)})` };
  }
}

function unreadable(text: string, error: unknown): ParsedArguments {
  if (error instanceof RangeError) return { problem: 'they are nested too deeply' };
  const doubt = error instanceof LooseJsonException ? ` (${error.message})` : '';
  return { problem: `they are not valid JSON${doubt}: ${quote(text)}` };
}

function notAnObject(value: unknown): ParsedArguments {
  return { problem: `they must be a JSON object, but came as ${quote(shortJson(value))}` };
}

/** A value that is nested very deeply, or is no JSON, has no short form. */
function shortJson(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** What the model sent may hold secrets, and the result may be shown to others. */
function quote(text: string | undefined): string {
  return redactCredentials(cutText(text ?? 'something without a JSON form', QUOTED_LENGTH));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
