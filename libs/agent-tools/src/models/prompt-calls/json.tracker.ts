import { ALL_KEYS, keysOf } from '../text-calls/call.keys.js';
import { isBlank } from './markup.js';

/** `closed`: the value ends with this character. `broken`: it cannot be a call. */
export type JsonProgress = 'open' | 'closed' | 'broken';

type Expected =
  'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'next' | 'string' | 'word';

const FIRST_KEYS = keysOf(ALL_KEYS).map((key) => `${key}"`);
const WORD = /[\w.+-]/;
/** Those of numbers, and of `true`, `false` and `null`. */
const WORD_BEGIN = /[-\dtfn]/;

/**
 * Follows a JSON object, or a list of them, character by character. It is strict, so that text in
 * braces is not held back for long, and wants the first key to be one of a call.
 */
export class JsonTracker {
  private readonly closers: ('}' | ']')[] = [];
  private expected: Expected = 'value';
  private isEscaped = false;
  private isKey = false;
  /** The first key as far as it came; undefined when it has ended. */
  private firstKey?: string = '';

  push(character: string): JsonProgress {
    if (this.expected === 'string') return this.pushToString(character);
    if (this.expected === 'word') {
      if (WORD.test(character)) return 'open';
      this.expected = 'next';
    }
    if (isBlank(character)) return 'open';
    switch (this.expected) {
      case 'first-value':
      case 'value':
        return this.beginValue(character);
      case 'first-key':
        if (character === '}') return this.close(character);
        return this.beginString(character, true);
      case 'key':
        return this.beginString(character, true);
      case 'colon':
        return this.expect('value', character === ':');
      case 'next':
        if (character !== ',') return this.close(character);
        return this.expect(this.closers.at(-1) === '}' ? 'key' : 'value', true);
    }
  }

  private beginValue(character: string): JsonProgress {
    if (character === '{') {
      this.closers.push('}');
      return this.expect('first-key', true);
    }
    if (this.firstKey !== undefined) {
      // Of a list, only one of objects may be one of calls.
      if (character !== '[' || this.closers.length > 0) return 'broken';
    }
    if (character === '[') {
      this.closers.push(']');
      return this.expect('first-value', true);
    }
    if (character === ']' && this.expected === 'first-value') return this.close(character);
    if (character === '"') return this.beginString(character, false);
    return this.expect('word', WORD_BEGIN.test(character));
  }

  private beginString(character: string, isKey: boolean): JsonProgress {
    this.isKey = isKey;
    return this.expect('string', character === '"');
  }

  private pushToString(character: string): JsonProgress {
    if (this.isEscaped) {
      this.isEscaped = false;
    } else if (character === '"') {
      if (this.firstKey !== undefined && !mayBeginCallKey(`${this.firstKey}"`)) return 'broken';
      this.firstKey = undefined;
      return this.expect(this.isKey ? 'colon' : 'next', true);
    } else if (character < ' ') {
      return 'broken';
    } else {
      this.isEscaped = character === '\\';
    }
    if (this.firstKey === undefined) return 'open';
    this.firstKey += character;
    return mayBeginCallKey(this.firstKey) ? 'open' : 'broken';
  }

  private close(character: string): JsonProgress {
    if (character !== this.closers.pop() || this.firstKey !== undefined) return 'broken';
    this.expected = 'next';
    return this.closers.length === 0 ? 'closed' : 'open';
  }

  private expect(expected: Expected, isRight: boolean): JsonProgress {
    this.expected = expected;
    return isRight ? 'open' : 'broken';
  }
}

/** @param begin of a key, with the quote behind it if that has come */
function mayBeginCallKey(begin: string): boolean {
  return FIRST_KEYS.some((key) => key.startsWith(begin));
}
