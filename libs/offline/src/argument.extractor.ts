import type { ChatTool, JsonSchema } from 'nestjs-agent-tools';
import { codeNamed } from './name.catalogue.js';
import { type Parameter, parametersOf } from './parameter.reader.js';
import type { Token } from './prompt.reader.js';
import { contentWords, splitWords } from './word.normalizer.js';

/** What the text of a parameter says about the kinds of tokens that it takes. */
const SENSES: readonly (readonly [parameter: RegExp, kinds: RegExp])[] = [
  [/mail/i, /^email$/],
  [/\b(?:ids?|number|no|code|ref|key|phone|zip)\b/i, /^(?:code|number|uuid|caps)$/],
  [/\b(?:currenc|symbol|iso|ticker|code)/i, /^caps$/],
  [/\bunit/i, /^(?:unit|caps)$/],
  [/\b(?:date|day|when)/i, /^date$/],
  [/\b(?:time|hour|when)\b/i, /^time$/],
  [/\b(?:ur[il]|link|site|page)/i, /^uri$/],
  [/\b(?:name|city|place|country|person|artist|author|language)/i, /^(?:name|phrase)$/],
];
/** Weights for a parameter whose text says nothing. */
const PLAIN: Readonly<Record<string, number>> = {
  code: 3,
  name: 3,
  caps: 2.5,
  email: 2.5,
  uri: 2,
  uuid: 2,
  phrase: 1.5,
};
/** Words around a token that speak for a parameter: those before it, "_", the one after it. */
const CUES: readonly (readonly [parameter: RegExp, context: RegExp])[] = [
  [
    /\b(?:city|place|location|country|region|town|area|address|where)\b/i,
    /(?:^| )(?:in|at|near|to|from|for) _/,
  ],
  [
    /\b(?:name|person|user|author|artist|recipient|owner|guest|who|with)\b/i,
    /(?:^| )(?:for|of|by|with|from|to) _/,
  ],
  [/\b(?:date|day|time|when)\b/i, /(?:^| )(?:on|at|by|until|since|for) _/],
  [
    /\b(?:amount|price|money|cost|budget)\b/i,
    /\p{Sc} _|_ (?:\p{Sc}|eur|usd|gbp|dollars?|euros?)$/u,
  ],
];
const SOURCE = /^(?:from|source|origin|base|start|since)$/;
const TARGET = /^(?:to|into|target|destination|end|until)$/;
const FREE =
  /^(?:query|text|message|question|term|phrase|topic|title|note|content|body|subject|keywords?|reason|comment|prompt|input|expression|description)$/;
/** What a token of another clause loses. */
const FAR = 2.5;

interface Candidate {
  readonly parameter: Parameter;
  readonly token: Token;
  readonly value: unknown;
  readonly weight: number;
}

/** What a prompt says about the arguments of a tool. */
export interface Extraction {
  /** Several where the prompt lists several values for a parameter. */
  readonly calls: readonly Readonly<Record<string, unknown>>[];
  readonly missing: readonly string[];
  /** How clearly the prompt gives the arguments. */
  readonly evidence: number;
}

/** Fills the arguments of a tool from the tokens of a clause, else from those of the whole prompt. */
export function extractArguments(
  { inputSchema }: ChatTool,
  clause: readonly Token[],
  tokens: readonly Token[],
  prompt: string,
): Extraction {
  const parameters = parametersOf(inputSchema);
  const own = new Set(clause);
  const said = new Set(clause.flatMap(({ text }) => contentWords(text)));
  const bare = !parameters.some(({ required }) => required);
  const candidates = parameters
    .flatMap((parameter) =>
      tokens.map((token) => {
        const [value, base] = readValue(parameter, token, said) ?? [undefined, 0];
        const weight = base + cueWeight(parameter, token) - (own.has(token) ? 0 : FAR);
        return { parameter, token, value, weight: value === undefined ? 0 : weight };
      }),
    )
    .filter(({ parameter, weight }) => weight >= (parameter.required ? 2 : bare ? 2.9 : 4.5))
    .toSorted(
      (a, b) => b.weight - a.weight || Number(b.parameter.required) - Number(a.parameter.required),
    );
  const chosen = new Map<Parameter, readonly Candidate[]>();
  const used = new Set<Token>();
  for (const first of [true, false]) {
    for (const candidate of candidates) {
      const { parameter, token } = candidate;
      const values = chosen.get(parameter) ?? [];
      const fits = first
        ? values.length === 0
        : own.has(token) && isSibling(values[0]?.token, token);
      if (!fits || used.has(token)) continue;
      chosen.set(parameter, [...values, candidate]);
      used.add(token);
    }
  }
  const filled = new Map<Parameter, readonly unknown[]>();
  for (const parameter of parameters) {
    const found = chosen.get(parameter)?.toSorted((a, b) => a.token.start - b.token.start);
    const values = found?.map(({ value }) => value);
    const fixed = parameter.schema.const ?? parameter.schema.default;
    if (values) filled.set(parameter, parameter.list ? [values] : values);
    else if (parameter.required && fixed !== undefined) filled.set(parameter, [fixed]);
  }
  const open = parameters.filter((parameter) => parameter.required && !filled.has(parameter));
  const rest = open.length === 1 && open[0] && restFor(open[0], clause, used, prompt);
  if (rest && open[0]) filled.set(open.pop() as Parameter, [rest]);
  const lengths = [...filled].map(([{ required }, { length }]) => (required || bare ? length : 1));
  const calls = Array.from({ length: Math.max(1, ...lengths) }, (_, at) => {
    const call = {};
    for (const [{ path }, values] of filled)
      put(call, path, values[Math.min(at, values.length - 1)]);
    return call;
  });
  const weights = [...chosen.values()].map(([first]) => Math.max(0, (first?.weight ?? 0) - 2.5));
  const missing = open.map(({ path }) => path.join('.'));
  return { calls, missing, evidence: weights.reduce((sum, each) => sum + each, 0) };
}

function readValue(
  { schema, text, path }: Parameter,
  token: Token,
  said: ReadonlySet<string>,
): readonly [unknown, number] | undefined {
  const { kind } = token;
  const words = contentWords(token.text);
  const topic = (['countr', 'currenc', 'language'] as const).find((t) =>
    text.toLowerCase().includes(t),
  );
  const code =
    topic &&
    (codeNamed(TOPICS[topic], `${token.before.split(' ').at(-1)} ${token.text}`) ??
      codeNamed(TOPICS[topic], token.text));
  if (Array.isArray(schema.enum)) {
    const near = schema.enum.filter(
      (each) =>
        String(each).toLowerCase() === token.text.toLowerCase() ||
        each === code ||
        contentWords(String(each)).some((word) => words.includes(word)),
    );
    const full = near.filter((each) => contentWords(String(each)).every((word) => said.has(word)));
    const [value] =
      full.length > 0
        ? full.toSorted((a, b) => String(b).length - String(a).length)
        : near.length === 1
          ? near
          : [];
    return [value, 6];
  }
  if (kind === 'mark') return undefined;
  if (schema.type === 'boolean') {
    const name = contentWords(path.at(-1) ?? '');
    if (!words.includes(name.at(-1) ?? '') || !name.every((word) => said.has(word)))
      return undefined;
    return [!/(?:^| )(?:no|not|without)$/.test(token.before), 6];
  }
  if (schema.type === 'number' || schema.type === 'integer') {
    const value = Number(token.text.replace(/,(?=\d{3}\b)/g, '').replace(',', '.'));
    return kind === 'number' && isAllowed(schema, value) ? [value, 3] : undefined;
  }
  if (schema.type !== 'string' || kind === 'word') return undefined;
  if (code && /\b(?:iso|code|currenc)/i.test(text + schema.pattern) && isAllowed(schema, code))
    return [code, 6];
  const value = [token.text, token.text.toUpperCase()].find(
    (each, at) => isAllowed(schema, each) && (at === 0 || /\d/.test(each)),
  );
  if (value === undefined) return undefined;
  if (schema.pattern !== undefined && !isAllowed(schema, 'xqzxqz')) return [value, 6];
  const format = /^(?:date|time|email|uuid|uri)/.exec(String(schema.format))?.[0];
  if (format) return kind === format ? [value, 6] : undefined;
  if (splitWords(path.at(-1) ?? '').some((word) => FREE.test(word)))
    return kind === 'quoted' ? [value, 5] : undefined;
  const senses = SENSES.filter(([parameter]) => parameter.test(text));
  if (kind === 'code' && resembles(text, value)) return [value, 6];
  if (senses.some(([, kinds]) => kinds.test(kind))) return [value, kind === 'phrase' ? 1.5 : 5];
  if (kind === 'quoted') return [value, 4];
  return [value, senses.length === 0 ? (PLAIN[kind] ?? -9) : 0.5];
}
const TOPICS = { countr: 'region', currenc: 'currency', language: 'language' } as const;

/** Whether a word of the text, an example such as `A-1042`, looks like the value. */
function resembles(text: string, value: string): boolean {
  const shape = (each: string) =>
    each
      .replace(/\d+/g, '9')
      .replace(/\p{Lu}+/gu, 'A')
      .replace(/\p{Ll}+/gu, 'a');
  return text
    .split(/[\s"'`(),;]+|[.:](?=\s|$)/)
    .some((each) => /\d/.test(each) && /\D/.test(each) && shape(each) === shape(value));
}

function cueWeight({ path, text, schema }: Parameter, { kind, before, after }: Token): number {
  const name = splitWords(path.join(' '));
  const [own, all] = [contentWords(name.join(' ')), contentWords(text)];
  const near = (words: string) => {
    const said = contentWords(words);
    return said.some((each) => own.includes(each))
      ? 2
      : said.some((each) => all.includes(each))
        ? 1
        : 0;
  };
  const to = /\b(?:to|into|in|as|until)(?: \S+)?$/.test(before);
  const from =
    !to && (/\b(?:from|since)(?: \S+)?$|\d$/.test(before) || /^(?:to|into|in|as)$/.test(after));
  let weight = near(before);
  if (kind === 'number' && schema.type !== 'string') weight += near(after) > 0 ? 3 : 0;
  else if (near(after) === 2) weight += 1;
  if (name.some((word) => SOURCE.test(word))) weight += from ? 2 : to ? -3 : 0;
  if (name.some((word) => TARGET.test(word))) weight += to ? 2 : from ? -3 : 0;
  if (
    CUES.some(
      ([parameter, context]) => parameter.test(text) && context.test(`${before} _ ${after}`),
    )
  )
    weight += 2;
  else if (/\b(?:to|into|in|on|at|by|for|from|of|with|about)$/.test(before)) weight += 0.5;
  return weight;
}

function isSibling(first: Token | undefined, token: Token): boolean {
  if (first?.kind !== token.kind) return false;
  return first.before === token.before || (token.kind === 'number' && first.after === token.after);
}

/** The words of a clause that nothing else has taken, without those of the tool around them. */
function restFor(
  { path, schema }: Parameter,
  clause: readonly Token[],
  used: ReadonlySet<Token>,
  prompt: string,
): string | undefined {
  if (schema.type !== 'string' || schema.enum || schema.format) return undefined;
  const runs: Token[][] = [[]];
  for (const token of clause) {
    if (used.has(token)) runs.push([]);
    else runs.at(-1)?.push(token);
  }
  const says = ({ kind }: Token) => !/^(?:word|mark|unit)$/.test(kind);
  const [best = []] = runs
    .map((run) => run.slice(run.findIndex(says), run.findLastIndex(says) + 1))
    .toSorted((a, b) => b.length - a.length);
  const free = splitWords(path.at(-1) ?? '').some((word) => FREE.test(word));
  const asks = /^(?:is|are|do|does|did|can|will|was)$/i.test(clause[0]?.text ?? '');
  const [first, last] = [best[0], best.at(-1)];
  if (!first || !last || (!free && (asks || best.length > 4))) return undefined;
  const value = prompt.slice(first.start, last.end);
  return isAllowed(schema, value) ? value : undefined;
}

function isAllowed(schema: JsonSchema, value: string | number): boolean {
  const limit = (keyword: string, none: number) => Number(schema[keyword] ?? none);
  if (typeof value === 'string') {
    const { length } = value;
    if (length < limit('minLength', 0) || length > limit('maxLength', Infinity)) return false;
    return typeof schema.pattern !== 'string' || new RegExp(schema.pattern).test(value);
  }
  if (schema.type === 'integer' && !Number.isInteger(value)) return false;
  if (value < limit('minimum', -Infinity) || value > limit('maximum', Infinity)) return false;
  return (
    value > limit('exclusiveMinimum', -Infinity) && value < limit('exclusiveMaximum', Infinity)
  );
}

function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) target[key] = value;
  else put((target[key] ??= {}) as Record<string, unknown>, rest, value);
}
