import { isSecretName, redactCredentials, secretNameAt } from '../utils/redact-credentials.js';
import { errorMessage } from '../utils/error-message.js';
import { cutText } from '../utils/cut-text.js';

const MAX_DEPTH = 6;
const HIDDEN = '"***"';
/** Of a text, before its credentials are cut out: they may be longer than what is shown. */
const READ_LENGTH = 2_000;
const KEY_LENGTH = 60;

/**
 * A short text for any value, in the form of JSON, for a log: without secrets, without line breaks, and
 * never longer than asked. It stops when the text is long enough, so that the size of the value does
 * not matter. Never throws.
 */
export function printValue(value: unknown, maxLength: number): string {
  const printer = new ValuePrinter(maxLength);
  printer.print(value, 0);
  return inOneLine(printer.text());
}

/** Also what a terminal or a log viewer would take for a line break or a change of direction. */
export function inOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ');
}

class ValuePrinter {
  private printed = '';

  constructor(private readonly maxLength: number) {}

  text(): string {
    if (this.printed.length <= this.maxLength) return this.printed;
    return `${cutText(this.printed, this.maxLength)}…`;
  }

  print(value: unknown, depth: number): void {
    try {
      this.printAny(value, depth);
    } catch {
      this.printed += JSON.stringify(UNREADABLE);
    }
  }

  private get isFull(): boolean {
    return this.printed.length > this.maxLength;
  }

  private printAny(value: unknown, depth: number): void {
    switch (typeof value) {
      case 'string':
        this.printText(value);
        break;
      case 'object':
        if (value === null) this.printed += 'null';
        else this.printObject(value, depth);
        break;
      case 'number':
      case 'boolean':
      case 'undefined':
        this.printed += String(value);
        break;
      case 'bigint':
        this.printBigInt(value);
        break;
      case 'function':
      case 'symbol':
        this.printed += `"[${typeof value}]"`;
    }
  }

  private printText(text: string): void {
    const read = cutText(text, READ_LENGTH);
    this.printed += isDataWithSecret(read)
      ? HIDDEN
      : JSON.stringify(cutText(redactCredentials(read), this.maxLength + 1));
  }

  /** The decimal digits of a very large one take seconds. */
  private printBigInt(value: bigint): void {
    const isShort = BigInt.asIntN(256, value) === value;
    this.printed += isShort ? value.toString() : '"[bigint]"';
  }

  private printObject(value: object, depth: number): void {
    if (value instanceof Date) this.printText(String(value.toJSON() ?? value));
    else if (value instanceof Error) this.printText(errorMessage(value));
    else if (ArrayBuffer.isView(value)) this.printed += `"[${value.byteLength} bytes]"`;
    else if (depth > MAX_DEPTH) this.printed += '"…"';
    else if (Array.isArray(value) || value instanceof Set) this.printItems(value, depth);
    else if (value instanceof Map) this.printEntries(value.entries(), depth);
    else this.printFields(value, depth);
  }

  private printFields(value: object, depth: number): void {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') this.print(toJSON.call(value), depth + 1);
    else this.printEntries(fieldsOf(value), depth);
  }

  private printItems(items: Iterable<unknown>, depth: number): void {
    this.printed += '[';
    let separator = '';
    for (const item of items) {
      this.printed += separator;
      if (this.isFull) return;
      this.print(item, depth + 1);
      separator = ',';
    }
    this.printed += ']';
  }

  private printEntries(entries: Iterable<readonly [unknown, unknown]>, depth: number): void {
    this.printed += '{';
    let separator = '';
    for (const [key, value] of entries) {
      this.printed += separator;
      if (this.isFull) return;
      this.printEntry(key, value, depth);
      separator = ',';
    }
    this.printed += '}';
  }

  private printEntry(key: unknown, value: unknown, depth: number): void {
    const name = typeof key === 'object' ? '[object]' : cutText(String(key), READ_LENGTH);
    this.printed += `${JSON.stringify(cutText(redactCredentials(name), KEY_LENGTH))}:`;
    if (isSecretName(name)) this.printed += HIDDEN;
    else this.print(value, depth + 1);
  }
}

/** Data in a text is not taken apart, and its quotes may be escaped any number of times. */
function isDataWithSecret(text: string): boolean {
  const isData = /^\s*["[{]/.test(text) || text.includes('\\"');
  return isData && secretNameAt(text) >= 0;
}

const UNREADABLE = '[unreadable]';

/** One after the other, as most of a large object is never printed. */
function* fieldsOf(value: object): Generator<readonly [string, unknown]> {
  for (const name of Object.keys(value)) yield [name, fieldOf(value, name)];
}

/** A getter that throws is the only one lost. */
function fieldOf(value: object, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[name];
  } catch {
    return UNREADABLE;
  }
}
