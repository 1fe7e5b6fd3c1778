import type { ChatTool, JsonSchema } from 'nestjs-agent-tools';
import { codeNamed } from './name.catalogue.js';
import { type Parameter, parametersOf } from './parameter.reader.js';
import type { Token } from './prompt.reader.js';
import { contentWords, splitWords } from './word.normalizer.js';

type Rule = readonly [parameter: RegExp, token: RegExp, weight: number];

const NUMBERED = /\b(?:ids?|number|no|code|ref|key|phone|zip|year)\b/i;
const DATED = /\b(?:date|day|when)/i;
const TIMED = /\b(?:time|hour)s?\b/i;
const CODED = /\b(?:currenc|iso|symbol|ticker|code)/i;
/** How well a kind of token suits the text of a parameter. */
const KIND_RULES: readonly Rule[] = [
  [/^/, /quoted/, 4.5],
  [/^/, /name|code|caps|email|uri/, 2.5],
  [/^/, /phrase/, 1.5],
  [/^/, /number|date|time|unit/, -3],
  [NUMBERED, /code/, 3],
  [NUMBERED, /number/, 6.5],
  [NUMBERED, /name|phrase|email|uri/, -2],
  [/mail/i, /email/, 3],
  [/mail(?!.*\bname)/i, /name|phrase|code|caps/, -3],
  [DATED, /date/, 8],
  [DATED, /name|phrase|code|caps/, -2],
  [TIMED, /time/, 8],
  [TIMED, /name|phrase|code|caps/, -1],
  [CODED, /caps/, 2],
  [/\bunit/i, /unit/, 6],
  [/\b(?:ur[il]|link|site|page)/i, /uri/, 3],
  [/\bname|\bcity|\bcountry|\bperson/i, /name/, 2],
];
const TO = /\b(?:to|into|in|as|until)(?: \S+)? _/;
const FROM = /\b(?:from|since)(?: \S+)? _|\d _|_ (?:to|into|in|as)$/;
/** How well the words before "_" and the one after it introduce a parameter. */
const CUE_RULES: readonly Rule[] = [
  [
    /^\w+ .*\b(?:city|place|location|country|region|town|area|address|where)\b/i,
    /\b(?:in|at|near|to|from|for) _/,
    1.5,
  ],
  [
    /\b(?:name|person|user|author|artist|recipient|owner|guest|who|with)\b/i,
    /\b(?:for|of|by|with|from|to) _/,
    1.5,
  ],
  [/\b(?:date|day|time|when)\b/i, /\b(?:on|at|by|until|since|for) _/, 1.5],
  [
    /\b(?:amount|price|money|cost|budget)\b/i,
    /\p{Sc} _|_ (?:\p{Sc}|eur|usd|gbp|dollars?|euros?)$/u,
    2,
  ],
  [/./, /\b(?:to|into|in|on|at|by|for|from|of|with|about) _/, 0.5],
  [/^\w+ (?:from|source|origin|base|start|since)\b/, FROM, 2],
  [/^\w+ (?:from|source|origin|base|start|since)\b/, TO, -3],
  [/^\w+ (?:to|into|target|dest\w*|end|until)\b/, TO, 3],
  [/^\w+ (?:to|into|target|dest\w*|end|until)\b/, FROM, -2],
];
/** Parameters for words of the user's own, which take what nothing else has taken. */
const FREE =
  /\b(?:query|text|message|question|term|phrase|topic|title|note|content|body|subject|keywords?|reason|comment|prompt|input|expression|description)$/;

/** What a prompt says about the arguments of a tool. */
export interface Extraction {
  /** Several where the prompt lists several values for a parameter. */
  readonly calls: readonly object[];
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
        const [value, base = 0] = readValue(parameter, token, said) ?? [];
        const weight = base + cueWeight(parameter, token) - (own.has(token) ? 0 : 2.5);
        return { parameter, token, value, weight: value === undefined ? 0 : weight };
      }),
    )
    .filter(({ parameter, weight }) => weight >= (parameter.required ? 2 : bare ? 2.9 : 4.5))
    .toSorted(
      (a, b) => b.weight - a.weight || Number(b.parameter.required) - Number(a.parameter.required),
    );
  const chosen = new Map<Parameter, typeof candidates>();
  const used = new Set<Token>();
  for (const round of [1, 2]) {
    for (const candidate of candidates.filter(({ token }) => !used.has(token))) {
      const { parameter, token } = candidate;
      const values = chosen.get(parameter) ?? [];
      const fits =
        round === 1 ? values.length === 0 : own.has(token) && isSibling(values[0]?.token, token);
      if (!fits || used.has(token)) continue;
      chosen.set(parameter, [...values, candidate]);
      used.add(token);
    }
  }
  const filled = new Map<Parameter, unknown[]>();
  for (const parameter of parameters) {
    const { required, list, schema } = parameter;
    const found = chosen
      .get(parameter)
      ?.toSorted((a, b) => a.token.start - b.token.start)
      .map(({ value }) => value);
    const fixed = required ? (schema.const ?? schema.default) : undefined;
    const values = found ? (list ? [found] : found) : fixed === undefined ? [] : [fixed];
    if (values.length > 0) filled.set(parameter, values);
  }
  const open = parameters.filter((parameter) => parameter.required && !filled.has(parameter));
  const rest = open.length === 1 ? restFor(open[0], clause, used, prompt) : undefined;
  if (rest) filled.set(open.splice(0)[0], [open[0]?.list ? [rest] : rest]);
  const lengths = [...filled].map(([{ required }, { length }]) => (required || bare ? length : 1));
  const calls = Array.from({ length: Math.max(1, ...lengths) }, (_, at) => {
    const call = {};
    for (const [{ path }, values] of filled)
      put(call, path, values[Math.min(at, values.length - 1)]);
    return call;
  });
  const evidence = [...chosen.values()].reduce(
    (sum, [{ weight }]) => sum + Math.max(0, weight - 2.5),
    0,
  );
  return { calls, missing: open.map(({ path }) => path.join('.')), evidence };
}

type Reading = readonly [value: unknown, weight: number];

function readValue(
  { schema, text: about, path }: Parameter,
  token: Token,
  said: ReadonlySet<string>,
): Reading | undefined {
  const { kind, text, before } = token;
  const words = contentWords(text);
  const [found] = /countr|languag|currenc/i.exec(about) ?? [];
  const topic =
    found &&
    ({ countr: 'region', languag: 'language', currenc: 'currency' } as const)[found.toLowerCase()];
  const code =
    topic && (codeNamed(topic, `${before.split(' ').at(-1)} ${text}`) ?? codeNamed(topic, text));
  if (schema.enum) {
    const near = schema.enum.filter(
      (each) =>
        String(each) === text ||
        each === code ||
        contentWords(String(each)).some((word) => words.includes(word)),
    );
    const [full] = near
      .filter((each) => contentWords(String(each)).every((word) => said.has(word)))
      .toSorted((a, b) => String(b).length - String(a).length);
    return [full ?? (near.length === 1 ? near[0] : undefined), 6];
  }
  if (schema.type === 'boolean') {
    const name = contentWords(path.at(-1) ?? '');
    const meant = words.includes(name.at(-1) ?? '') && name.every((word) => said.has(word));
    return meant ? [!/\b(?:no|not|without)$/.test(before), 6] : undefined;
  }
  if (schema.type !== 'string') {
    const value = Number(text.replace(/,(?=\d{3}\b)/g, '').replace(',', '.'));
    return /number|integer/.test(about) && kind === 'number' && isAllowed(schema, value)
      ? [value, 3]
      : undefined;
  }
  if (kind === 'word' || kind === 'mark') return undefined;
  if (code && (schema.pattern || CODED.test(about)) && isAllowed(schema, code)) return [code, 6];
  const value = [text, /\d/.test(text) ? text.toUpperCase() : text].find((each) =>
    isAllowed(schema, each),
  );
  if (value === undefined) return undefined;
  if (schema.pattern !== undefined && !isAllowed(schema, 'xqzxqz')) return [value, 6];
  if (kind === 'code' && resembles(about, value)) return [value, 6];
  if (FREE.test(splitWords(path.at(-1) ?? '').join(' ')))
    return kind === 'quoted' ? [value, 5] : undefined;
  return [value, sum(KIND_RULES, about, kind)];
}

function sum(rules: readonly Rule[], parameter: string, token: string): number {
  return rules.reduce(
    (weight, [one, other, more]) => weight + (one.test(parameter) && other.test(token) ? more : 0),
    0,
  );
}

/** Whether a word of a description, an example such as `A-1042`, looks like the value. */
function resembles(about: string, value: string): boolean {
  const shape = (each: string) =>
    each
      .replace(/\d+/g, '9')
      .replace(/\p{Lu}+/gu, 'A')
      .replace(/\p{Ll}+/gu, 'a');
  const examples = about
    .split(/[\s"'`(),;]+|[.:](?=\s|$)/)
    .filter((each) => /\d/.test(each) && /\D/.test(each));
  return examples.map(shape).includes(shape(value));
}

function cueWeight({ path, text, schema }: Parameter, { before, after }: Token): number {
  const [own, all] = [path.join(' '), text].map((each) => contentWords(each));
  const near = (words: string) => {
    const said = contentWords(words);
    return said.some((each) => own.includes(each))
      ? 2
      : said.some((each) => all.includes(each))
        ? 1
        : 0;
  };
  const unit = schema.type === 'string' ? Math.max(0, near(after) - 1) : near(after) && 3;
  return near(before) + unit + sum(CUE_RULES, text, `${before} _ ${after}`);
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
  if (schema.type !== 'string' || schema.enum) return undefined;
  const runs: Token[][] = [[]];
  for (const token of clause) {
    if (used.has(token)) runs.push([]);
    else runs.at(-1)?.push(token);
  }
  const says = ({ kind }: Token) => !/word|mark|unit/.test(kind);
  const [best] = runs
    .map((run) => run.slice(run.findIndex(says), run.findLastIndex(says) + 1))
    .toSorted((a, b) => b.length - a.length);
  const free = FREE.test(splitWords(path.at(-1) ?? '').join(' '));
  const asks = /^(?:is|are|do|does|did|can|will|was)$/i.test(clause[0]?.text);
  if (best.length === 0 || (!free && (asks || best.length > 4))) return undefined;
  const value = prompt.slice(best[0].start, best.at(-1)?.end);
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
  const [key, ...rest] = path;
  if (rest.length === 0) target[key] = value;
  else put((target[key] ??= {}) as Record<string, unknown>, rest, value);
}
