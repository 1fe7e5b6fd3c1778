import { randomUUID } from 'node:crypto';
import { ExactNumber, isInexact, MAY_BE_INEXACT } from './exact-number.js';
import type { JsonToken } from './json-token.interface.js';
import { lexValue } from './loose-json.lexer.js';

/** Stands before the digits of an inexact number; unknown to a model, so it cannot be forged. */
const MARK = `${randomUUID()}:`;

/**
 * `JSON.parse` that keeps the digits of numbers which would be rounded, as `ExactNumber`, and drops
 * keys named `__proto__`.
 *
 * @param mayBeInexact whether the text may hold such a number, if that is known already
 * @throws SyntaxError
 */
export function parseJson(text: string, mayBeInexact = MAY_BE_INEXACT.test(text)): unknown {
  const value: unknown = mayNameProto(text) ? JSON.parse(text, withoutProto) : JSON.parse(text);
  const isContainer = mayBeInexact && value !== null && typeof value === 'object';
  return isContainer ? parseTokens(lexValue(text, text.search(/[{[]/)).tokens) : value;
}

/**
 * Parses what tokens say.
 *
 * @throws SyntaxError
 */
export function parseTokens(tokens: readonly JsonToken[]): unknown {
  return JSON.parse(printTokens(tokens, true), revive);
}

/** @param markInexact whether numbers that would be rounded are written as marked strings */
export function printTokens(tokens: readonly JsonToken[], markInexact = false): string {
  return tokens
    .map(({ kind, json }) =>
      markInexact && kind === 'number' && isInexact(json) ? `"${MARK}${json}"` : json,
    )
    .join(' ');
}

function revive(key: string, value: unknown): unknown {
  if (key === '__proto__') return undefined;
  return typeof value === 'string' && value.startsWith(MARK)
    ? new ExactNumber(value.slice(MARK.length))
    : value;
}

/** Every letter of it may be escaped. */
function mayNameProto(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u00');
}

/** For `JSON.parse`. */
export function withoutProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}
