import { redactCredentials } from '../utils/redact-credentials.js';
import { cutText } from '../utils/short-text.js';

export type ParsedArguments =
  { readonly input: Record<string, unknown> } | { readonly problem: string };

const QUOTED_LENGTH = 200;

/**
 * Reads the arguments of a call: JSON text of an object, or the object itself. Blank text and
 * `null` are a call without arguments. Nothing is guessed; what cannot be read is a problem.
 */
export function parseArguments(raw: unknown): ParsedArguments {
  if (raw === undefined || raw === null) return { input: {} };
  if (typeof raw === 'string') return parseText(raw);
  return isPlainObject(raw) ? copyOf(raw) : notAnObject(raw);
}

function parseText(text: string): ParsedArguments {
  if (text.trim() === '') return { input: {} };
  let value: unknown;
  try {
    value = mayNameProto(text) ? JSON.parse(text, withoutProto) : JSON.parse(text);
  } catch {
    return {
      problem: `they are not valid JSON: ${quote(text)}`,
    };
  }
  if (value === null) return { input: {} };
  return isPlainObject(value) ? { input: value } : notAnObject(value);
}

/** Every letter of it may be escaped. */
function mayNameProto(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u00');
}

function withoutProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

/** The caller keeps its object: defaults and transforms are written to a copy. */
function copyOf(value: Record<string, unknown>): ParsedArguments {
  try {
    return parseText(JSON.stringify(value));
  } catch (error) {
    return { problem: `they cannot be written as JSON (${(error as Error).message})` };
  }
}

function notAnObject(value: unknown): ParsedArguments {
  return { problem: `they must be a JSON object, but came as ${quote(shortJson(value))}` };
}

/** A value that is nested very deeply, or is no JSON, has no short form. */
function shortJson(value: unknown): string | undefined {
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

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
