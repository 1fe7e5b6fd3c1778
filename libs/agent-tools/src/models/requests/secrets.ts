import { redactShapes } from '../../utils/credential-shapes.js';
import { isPlain } from '../../utils/is-plain.js';
import { secretPatterns } from './secret-patterns.js';

const REDACTED = '[redacted]';
const SECRET_NAME = /auth|key|token|secret|cookie|credential|signature|pass|session/i;

/** Credentials that only what stands before them tells, narrower than in other texts: "max_tokens: 4096" is none. */
const NAMED = [
  /\b(?:Bearer|Basic)\s{1,8}[\w+/=.~*-]{16,8000}/gi,
  /(?<=\b(?:api[-_]?key|access[-_]token|key)=)[^\s&"']{1,1000}/gi,
];

/**
 * Values by their names: headers, or the fields of an object.
 *
 * @publicApi
 */
export type NamedValues = Headers | object;

const MAX_DEPTH = 8;
/** Much longer texts are cut before, as a server may write one to keep the process busy. */
const MAX_TEXT = 65_536;

/** Whether the value of a header or field is likely a credential. */
export function isCredentialName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Removes credentials from texts about a call: those that are known, and what looks like one. */
export class Secrets {
  private known?: readonly RegExp[];

  /**
   * @param named Those count whose name says so, also within objects and lists.
   * @param url Where the request goes; a key may be in it as well.
   */
  constructor(
    private readonly named: NamedValues = {},
    private readonly url = '',
  ) {}

  redact(text: string): string {
    this.known ??= this.find();
    const patterns = [...this.known, ...NAMED];
    return patterns.reduce(
      (rest, pattern) => rest.replace(pattern, REDACTED),
      redactShapes(text.slice(0, MAX_TEXT), REDACTED),
    );
  }

  /** Whether a text may hold a credential. One that is too long to tell may. */
  isIn(text: string): boolean {
    return text.length > MAX_TEXT || this.redact(text) !== text;
  }

  /** Only when something has failed. */
  private find(): RegExp[] {
    const given = [...secretsOf(this.named, false, new Set(), 0)];
    return secretPatterns([...given, ...secretsIn(this.url)]);
  }
}

/**
 * Also in what is nested: a body may hold the keys of other servers, a model its own options.
 *
 * @param isSecret Whether the name above it says that all of it is secret.
 */
function* secretsOf(
  value: unknown,
  isSecret: boolean,
  seen: Set<object>,
  depth: number,
): Generator<string> {
  if (typeof value === 'string') {
    if (isSecret) yield* [value, value.replace(/^\S+\s+/, '')];
    else if (value.includes('://')) yield* secretsIn(value);
    return;
  }
  if (!isObject(value) || seen.has(value) || depth > MAX_DEPTH) return;
  seen.add(value);
  const isWalked = Array.isArray(value) || value instanceof Headers || isPlain(value);
  // What a class has made may lead anywhere, so only what is sent of it counts; the first is the caller's own.
  if (depth > 0 && !isWalked) {
    yield* secretsOf(toPlain(value), isSecret, seen, depth);
    return;
  }
  const fields = value instanceof Headers ? [...value] : Object.entries(value);
  const isNamed = isPair(value) || isNamedValue(value);
  for (const [name, item] of fields as readonly (readonly [string, unknown])[]) {
    yield* secretsOf(item, isSecret || isNamed || isCredentialName(name), seen, depth + 1);
  }
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}

function toPlain(value: object): unknown {
  try {
    const json = JSON.stringify(value) as string | undefined;
    return json === undefined || json.length > MAX_TEXT ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** A header as a list of its name and its value. */
function isPair(value: object): boolean {
  return Array.isArray(value) && value.length === 2 && isCredentialText(value[0]);
}

/** A header as an object of its name and its value. */
function isNamedValue({ name, key }: { readonly name?: unknown; readonly key?: unknown }): boolean {
  return isCredentialText(name) || isCredentialText(key);
}

function isCredentialText(value: unknown): boolean {
  return typeof value === 'string' && value.length < 64 && isCredentialName(value);
}

function secretsIn(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { username, password, searchParams } = new URL(url);
  const fields = [...searchParams].filter(([name]) => isCredentialName(name));
  return [username, password, ...fields.map(([, value]) => value)].flatMap((value) => [
    value,
    decode(value),
  ]);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
