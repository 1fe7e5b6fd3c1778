import { redactShapes } from '../../utils/credential-shapes.js';
import { secretForms } from './secret-forms.js';

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

/** Whether the value of a header or field is likely a credential. */
export function isCredentialName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Removes credentials from texts about a call: those that are known, and what looks like one. */
export class Secrets {
  private known?: readonly string[];

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
    const rest = this.known.reduce((before, value) => before.replaceAll(value, REDACTED), text);
    return NAMED.reduce(
      (before, pattern) => before.replace(pattern, REDACTED),
      redactShapes(rest, REDACTED),
    );
  }

  /** Only when something has failed. */
  private find(): string[] {
    const given = [...secretsOf(this.named, new Set(), 0)];
    return secretForms([...given, ...secretsIn(this.url)]);
  }
}

/** Also in what is nested: a body may hold the keys of other servers, a model its own options. */
function* secretsOf(named: object, seen: Set<object>, depth: number): Generator<string> {
  if (seen.has(named) || depth > MAX_DEPTH) return;
  seen.add(named);
  const fields = named instanceof Headers ? [...named] : Object.entries(named);
  for (const [name, value] of fields as readonly (readonly [string, unknown])[]) {
    if (typeof value === 'string') {
      if (isCredentialName(name)) yield* [value, value.replace(/^\S+\s+/, '')];
    } else if (isPlain(value)) yield* secretsOf(value, seen, depth + 1);
  }
}

/** What a class has made may be of any size, and lead anywhere. */
function isPlain(value: unknown): value is object {
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value) || value instanceof Headers) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
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
