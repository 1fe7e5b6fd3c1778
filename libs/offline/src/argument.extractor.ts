import type { ChatTool, JsonSchema } from 'nestjs-agent-tools';
import { codeNamed } from './code.names.js';
import { type Parameter, parametersOf } from './parameter.reader.js';
import type { Token, TokenKind } from './prompt.reader.js';
import { contentWords } from './word.normalizer.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** What a prompt says about the arguments of a tool. */
export interface Extraction {
  /** Several where the prompt lists several values for a parameter. */
  readonly calls: readonly Arguments[];
  /** The required parameters without a value. */
  readonly missing: readonly string[];
  /** How clearly the prompt gives the arguments. */
  readonly evidence: number;
  readonly used: ReadonlySet<Token>;
}

interface Candidate {
  readonly parameter: Parameter;
  readonly token: Token;
  readonly value: unknown;
  readonly weight: number;
}

const FORMATS: Readonly<Record<string, TokenKind>> = {
  date: 'date',
  'date-time': 'date',
  time: 'time',
  email: 'email',
  uuid: 'uuid',
  uri: 'uri',
  url: 'uri',
};
/** For a parameter of free text: the weight of a token where the expression fits the parameter, and elsewhere. */
const TEXTS: Readonly<Partial<Record<TokenKind, readonly [RegExp, number, number]>>> = {
  quoted: [/./, 5, 5],
  email: [/mail/i, 6, 2.5],
  uri: [/\bur[il]|link|site|page/i, 6, 2],
  uuid: [/\bids?\b/i, 6, 2.5],
  date: [/\bda(?:y|te)|\bwhen\b|\btime/i, 5, 0],
  time: [/\btime|\bhour/i, 5, 0],
  code: [/\b(?:id|number|no|code|ref|key)/i, 4.5, 2.5],
  caps: [/\b(?:code|currenc|symbol|iso|unit|ticker)/i, 4.5, 2.5],
  number: [/\b(?:id|number|no|code|zip|phone|year)\b/i, 3.5, 0],
  name: [/./, 3, 3],
  phrase: [/./, 2, 2],
};
const CUES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:city|place|location|country|region|town|area|address|where)\b/i,
    /^(?:in|at|near|to|from|for)$/,
  ],
  [
    /\b(?:name|person|user|author|artist|recipient|owner|guest|who|with)\b/i,
    /^(?:for|of|by|with|from|to)$/,
  ],
  [/\b(?:date|day|time|when)\b/i, /^(?:on|at|by|until|since|for)$/],
];
const SOURCE = /^(?:from|source|origin|base|start|since)$/;
const TARGET = /^(?:to|into|target|destination|end|until)$/;
const FREE =
  /^(?:query|text|message|question|word|term|phrase|topic|title|note|content|body|subject|keywords?|description|reason|comment|prompt|input|expression)$/;

/** Fills the arguments of a tool from the tokens of a clause first, then from the whole prompt. */
export function extractArguments(
  tool: ChatTool,
  clause: readonly Token[],
  prompt: readonly Token[],
  text: string,
): Extraction {
  const parameters = parametersOf(tool.inputSchema);
  const said = new Set(clause.flatMap((token) => contentWords(token.text)));
  const sole = !parameters.some(({ required }) => required);
  const candidates = parameters
    .flatMap((parameter) =>
      prompt.flatMap((token) => {
        const far = clause.includes(token) ? 0 : 2.5;
        const [value, weight] = readValue(parameter, token, said) ?? [];
        if (weight === undefined) return [];
        return [{ parameter, token, value, weight: weight + cue(parameter, token) - far }];
      }),
    )
    .filter(({ parameter, weight }) => weight >= (parameter.required ? 2 : sole ? 2.9 : 4.5))
    .toSorted((one, other) => other.weight - one.weight);

  const chosen = new Map<Parameter, Candidate[]>();
  const used = new Set<Token>();
  for (const candidate of candidates) {
    if (chosen.has(candidate.parameter) || used.has(candidate.token)) continue;
    chosen.set(candidate.parameter, [candidate]);
    used.add(candidate.token);
  }
  for (const candidate of candidates) {
    const values = chosen.get(candidate.parameter);
    if (!values || used.has(candidate.token) || !isSibling(values[0], candidate)) continue;
    if (!clause.includes(candidate.token)) continue;
    values.push(candidate);
    used.add(candidate.token);
  }
  const evidence = [...chosen.values()].reduce(
    (sum, [first]) => sum + Math.max(0, (first?.weight ?? 0) - 2.5),
    0,
  );
  const filled = new Map<Parameter, readonly unknown[]>();
  for (const [parameter, values] of chosen) {
    const sorted = values
      .toSorted((a, b) => a.token.start - b.token.start)
      .map(({ value }) => value);
    filled.set(parameter, parameter.list ? [sorted] : sorted);
  }
  for (const parameter of parameters) {
    const { schema, required } = parameter;
    const fixed = schema.const ?? schema.default;
    if (!filled.has(parameter) && required && fixed !== undefined) filled.set(parameter, [fixed]);
  }
  const open = parameters.filter((parameter) => parameter.required && !filled.has(parameter));
  const [last] = open;
  if (open.length === 1 && last && isText(last)) {
    const rest = restOf(last, clause, used, text);
    if (rest) filled.set(last, [rest]);
  }
  const count = Math.max(
    1,
    ...[...filled].map(([{ required }, values]) => (required ? values.length : 1)),
  );
  const calls = Array.from({ length: count }, (_, at) => {
    const call = {};
    for (const [{ path }, values] of filled)
      put(call, path, values[Math.min(at, values.length - 1)]);
    return call;
  });
  const missing = open
    .filter((parameter) => !filled.has(parameter))
    .map(({ path }) => path.join('.'));
  return { calls, missing, evidence, used };
}

function readValue(
  parameter: Parameter,
  { kind, text, before, known }: Token,
  said: ReadonlySet<string>,
): readonly [unknown, number] | undefined {
  const { schema, type } = parameter;
  if (kind === 'mark') return undefined;
  if (Array.isArray(schema.enum)) {
    const value =
      pick(schema.enum, contentWords(text), said) ??
      schema.enum.find((each) => String(each) === text) ??
      codeNamed(text, parameter.text);
    return schema.enum.includes(value) ? [value, 6] : undefined;
  }
  if (type === 'boolean') {
    const words = contentWords(parameter.name.join(' '));
    const here = words.length > 0 && contentWords(text).includes(words.at(-1) ?? '');
    return here && words.every((word) => said.has(word))
      ? [!/^(?:no|not|without)$/.test(before), 6]
      : undefined;
  }
  if (type === 'number' || type === 'integer') {
    const value = Number(text.replace(/,(?=\d{3}\b)/g, '').replace(',', '.'));
    return kind === 'number' && fits(schema, value) ? [value, 3] : undefined;
  }
  if (!isText(parameter) && schema.format === undefined && schema.pattern === undefined)
    return undefined;
  const format = FORMATS[String(schema.format)];
  if (format) return format === kind && fits(schema, text) ? [text, 6] : undefined;
  const code = codeNamed(text, parameter.text);
  const short =
    schema.pattern !== undefined ||
    schema.maxLength !== undefined ||
    /\b(?:code|iso|currenc)/i.test(parameter.text);
  if (code && short && fits(schema, code)) return [code, 6];
  if (schema.pattern !== undefined && !fits({ pattern: schema.pattern }, 'xqzxqz')) {
    const value = [text, /\d/.test(text) ? text.toUpperCase() : text].find((each) =>
      fits(schema, each),
    );
    return value === undefined ? undefined : [value, 6];
  }
  if (!fits(schema, text)) return undefined;
  const [hint, hit, miss] = TEXTS[kind] ?? [];
  if (!hint) return undefined;
  const weight = hint.test(parameter.text) ? (hit ?? 0) : (miss ?? 0);
  if (weight === 0) return undefined;
  const shown = kind === 'code' ? likeExample(parameter, text) : 0;
  return [text, Math.max(shown, weight) - (kind === 'phrase' && known ? 1.5 : 0)];
}

function pick(
  values: readonly unknown[],
  words: readonly string[],
  said: ReadonlySet<string>,
): unknown {
  const near = values.filter((value) =>
    contentWords(String(value)).some((word) => words.includes(word)),
  );
  const full = near
    .filter((value) => contentWords(String(value)).every((word) => said.has(word)))
    .toSorted((a, b) => String(b).length - String(a).length);
  return full[0] ?? (near.length === 1 ? near[0] : undefined);
}

/** `A-1042` in a description or among the examples shows what a value looks like. */
function likeExample({ text, schema }: Parameter, value: string): number {
  const shape = (each: string) =>
    each
      .replace(/\d/g, '9')
      .replace(/\p{Lu}/gu, 'A')
      .replace(/\p{Ll}/gu, 'a');
  const shapes = `${text} ${JSON.stringify(schema.examples ?? '')}`
    .split(/[\s"'`(),;]+|[.:](?=\s|$)/)
    .filter((each) => /\d/.test(each) && /\D/.test(each))
    .map(shape);
  if (shapes.includes(shape(value))) return 6;
  const loose = (each: string) => each.replace(/(.)\1+/g, '$1');
  return shapes.map(loose).includes(loose(shape(value))) ? 5 : 0;
}

function cue({ name, text, type }: Parameter, { kind, before, label, after }: Token): number {
  const [own, all] = [contentWords(name.join(' ')), contentWords(text)];
  const near = (word: string) =>
    contentWords(word).some((each) => own.includes(each))
      ? 2
      : contentWords(word).some((each) => all.includes(each))
        ? 1
        : 0;
  let weight = Math.max(near(before), near(label));
  if (kind === 'number' && type !== 'string') weight += near(after) > 0 ? 3 : 0;
  else if (near(after) === 2) weight += 1;
  const to = /^(?:to|into|in|as|until)$/.test(before);
  const from = !to && (/^(?:from|since)$|\d/.test(before) || /^(?:to|into|in|as)$/.test(after));
  if (name.some((word) => SOURCE.test(word))) weight += from ? 2 : to ? -3 : 0;
  if (name.some((word) => TARGET.test(word))) weight += to ? 2 : from ? -3 : 0;
  if (CUES.some(([parameter, word]) => parameter.test(text) && word.test(before))) weight += 2;
  else if (/^(?:to|into|in|on|at|by|for|from|of|with|about)$/.test(before)) weight += 0.5;
  return weight;
}

function isSibling(first: Candidate | undefined, { token }: Candidate): boolean {
  if (first?.token.kind !== token.kind) return false;
  return (
    first.token.before === token.before ||
    (token.kind === 'number' && first.token.after === token.after)
  );
}

function isText({ type, schema }: Parameter): boolean {
  return type === 'string' || (type === undefined && schema.properties === undefined);
}

/** The words of a clause that nothing else has taken, without the words of the tool around them. */
function restOf(
  { name, schema }: Parameter,
  clause: readonly Token[],
  used: ReadonlySet<Token>,
  text: string,
): string | undefined {
  if (schema.format !== undefined || schema.pattern !== undefined || schema.enum) return undefined;
  const plain = (token: Token) => token.known && /^(?:word|name|phrase|mark)$/.test(token.kind);
  const runs: Token[][] = [[]];
  for (const token of clause) {
    if (used.has(token)) runs.push([]);
    else runs.at(-1)?.push(token);
  }
  const best = runs
    .map((run) =>
      run.slice(
        run.findIndex((t) => !plain(t)),
        run.findLastIndex((t) => !plain(t)) + 1,
      ),
    )
    .toSorted((a, b) => b.length - a.length)[0];
  const [first, end] = [best?.at(0), best?.at(-1)];
  if (!first || !end || !best) return undefined;
  const free = name.some((word) => FREE.test(word));
  if (
    !free &&
    (best.length > 3 || /^(?:is|are|do|does|did|can|will|was)$/i.test(clause[0]?.text ?? ''))
  )
    return undefined;
  const value = text.slice(first.start, end.end);
  return fits(schema, value) ? value : undefined;
}

function fits(schema: JsonSchema, value: string | number): boolean {
  const limit = (keyword: string, otherwise: number) =>
    typeof schema[keyword] === 'number' ? schema[keyword] : otherwise;
  if (typeof value === 'number') {
    const whole = schema.type !== 'integer' || Number.isInteger(value);
    const low =
      value >= limit('minimum', -Infinity) && value > limit('exclusiveMinimum', -Infinity);
    return (
      whole &&
      low &&
      value <= limit('maximum', Infinity) &&
      value < limit('exclusiveMaximum', Infinity)
    );
  }
  if (value.length < limit('minLength', 0) || value.length > limit('maxLength', Infinity))
    return false;
  return typeof schema.pattern !== 'string' || new RegExp(schema.pattern).test(value);
}

function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) target[key] = value;
  else put((target[key] ??= {}) as Record<string, unknown>, rest, value);
}
