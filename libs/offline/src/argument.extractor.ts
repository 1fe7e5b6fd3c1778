import type { ChatTool, JsonSchema } from 'nestjs-agent-tools';
import { CODE_OF } from './code.names.js';
import { type Parameter, parametersOf } from './parameter.reader.js';
import type { Token } from './prompt.reader.js';
import { contentWords } from './word.normalizer.js';

/** Weights of a token, as `before <kind text> after`, for what is said about a parameter. */
const RULES: readonly (readonly [about: RegExp, token: RegExp, weight: number])[] = [
  [/^(?:number|integer)/, /<number/, 3],
  [/^string/, /<quoted/, 4],
  [/^string/, /<(?:name|code)/, 3],
  [/\b(?:ids?|number|no|code|ref|key|phone|zip|year|currency)\b/, /<name|<\w+ \S+@/, -3],
  [/^string.*\b(?:ids?|number|no|code|ref|key|phone|zip|year)\b/, /<(?:number|code)/, 2.5],
  [/^(?!.*\bname).*\b(?:date|day|time|e?-?mail|ur[il])/, /<(?:name|code|quoted)/, -4],
  [/\b(?:date|day)/, /<code \d{4}-\d\d-\d\d/, 7],
  [/\b(?:time|hour)/, /<code \d\d?:\d\d/, 7],
  [/mail/, /<code \S+@/, 6],
  [/\b(?:ur[il]|link|page)/, /<code \w+:\/\//, 7],
  [/\b(?:city|place|location|country|region|town|area|address)/, /\b(?:in|at|near|to|for) </, 2],
  [/\b(?:name|person|user|author|artist|recipient|owner)/, /\b(?:for|of|by|with|from|to) </, 2],
  [/\b(?:from|to)\b|\bunit/, /(?:\d|from|to|into|in|many) <word/, 4],
  [/^\w+ (?:from|source|origin|base|start)/, /\b(?:from|since) <|\d <|> (?:to|into|in)$/, 2],
  [/^\w+ (?:from|source|origin|base|start)/, /\b(?:to|into|in) </, -3],
  [/^\w+ (?:to|into|target|dest\w+|end)\b/, /\b(?:to|into|in|as) </, 3],
  [/\b(?:amount|price|money)/, /> (?:[a-z]{3}|dollars?|euros?)$/, 2],
];
/** Text of all kinds, which takes what nothing else has taken. */
const FREE =
  /^string (?:\w+ )?(?:query|text|message|question|term|phrase|topic|title|note|content|body|subject|expression)\b/;

/** Fills the arguments of a tool from the tokens of a clause, else from those of the whole prompt. */
export function extractArguments(
  tool: ChatTool,
  clause: Token[],
  tokens: Token[],
  prompt: string,
  known: ReadonlySet<string>,
) {
  const parameters = parametersOf(tool.inputSchema);
  const bare = parameters.every(({ required }) => !required);
  const said = clause.flatMap(({ text }) => contentWords(text));
  const candidates = parameters
    .flatMap((parameter) =>
      tokens.map((token, at) => {
        const own = clause.includes(token);
        const value = readValue(parameter, token, said);
        const weight = weigh(parameter, token, tokens[at + 1]?.text) - (own ? 0 : 2.5);
        return { parameter, token, own, value, weight: value === undefined ? 0 : weight };
      }),
    )
    .filter(({ parameter, weight }) => weight >= (parameter.required ? 2 : bare ? 3 : 4.5))
    .sort((a, b) => b.weight - a.weight);
  const chosen = new Map<Parameter, typeof candidates>();
  const used = new Set<Token>();
  // First one value for every parameter, then the other items of its list: "A-1 and A-2".
  for (const [at, candidate] of [...candidates, ...candidates].entries()) {
    const { parameter, token, own } = candidate;
    const values = chosen.get(parameter) ?? [];
    const [first] = values.map((value) => value.token);
    const listed =
      at >= candidates.length && own && first?.before === token.before && first.kind === token.kind;
    if (used.has(token) || (first && !listed)) continue;
    chosen.set(parameter, [...values, candidate]);
    used.add(token);
  }
  const rest = (free: boolean) => {
    const open = clause.filter(
      (token) =>
        !used.has(token) &&
        !(
          /word|mark/.test(token.kind) && contentWords(token.text).every((word) => known.has(word))
        ),
    );
    const wall =
      clause.findLast((token) => used.has(token) && token.start < (open.at(-1)?.start ?? 0))?.end ??
      0;
    const run = open.filter(({ start }) => start >= wall);
    const asks = /^(?:is|are|do|does|can|will)$/.test(clause[0]?.text);
    return run.length > 0 && (free || (!asks && run.length <= 4))
      ? prompt.slice(run[0].start, run.at(-1)?.end)
      : undefined;
  };
  const filled = parameters.map((parameter) => {
    const { schema, required, about } = parameter;
    const found = chosen.get(parameter)?.map(({ value }) => value);
    if (found) return { ...parameter, values: schema.items ? [found] : found };
    const open =
      schema.type === 'string' &&
      !schema.enum &&
      !schema.pattern &&
      !schema.format &&
      !schema.items;
    const other = schema.const ?? schema.default ?? (open ? rest(FREE.test(about)) : undefined);
    return { ...parameter, values: required && other !== undefined ? [other] : [] };
  });
  const lengths = filled.map(({ required, values }) => (required || bare ? values.length : 1));
  const calls = Array.from({ length: Math.max(1, ...lengths) }, (_, at) => {
    const call = {};
    for (const { path, values } of filled) put(call, path, values[Math.min(at, values.length - 1)]);
    return call;
  });
  const missing = filled.filter(({ required, values }) => required && values.length === 0);
  const clear = [...chosen.values()].map(([{ weight, own }]) =>
    own ? Math.max(0, weight - 2.5) : 0,
  );
  const evidence = clear.reduce((sum, each) => sum + each, 0);
  return { calls, missing: missing.map(({ path }) => path.join('.')), evidence };
}

function weigh({ schema, about }: Parameter, { kind, text, before }: Token, after = ''): number {
  if (schema.enum || schema.type === 'boolean') return 6;
  const names = contentWords(about);
  const near = (words: string) => contentWords(words).some((word) => names.includes(word));
  const sure = schema.pattern && !isAllowed(schema, 'xqzxqz') ? 6 : 0;
  const form = `${before} <${kind} ${text}> ${after}`;
  const rules = RULES.filter(([one, other]) => one.test(about) && other.test(form));
  const free = FREE.test(about) && kind !== 'quoted' ? -9 : 0;
  const cues =
    sure + free + (near(before) ? 1.5 : 0) + (near(after) ? (kind === 'number' ? 3 : 1) : 0);
  return rules.reduce((sum, [, , weight]) => sum + weight, cues);
}

function readValue(
  { path, schema, about }: Parameter,
  { kind, text, before }: Token,
  said: string[],
): unknown {
  const words = contentWords(text);
  const values = schema.enum ?? (schema.type === 'boolean' ? path.slice(-1) : undefined);
  const near = values?.filter(
    (each) => each === text || contentWords(String(each)).some((word) => words.includes(word)),
  );
  const full = near?.find((each) =>
    contentWords(String(each)).every((word) => said.includes(word)),
  );
  if (schema.enum) return full ?? (near?.length === 1 ? near[0] : undefined);
  if (values) return full && !/\b(?:no|not|without)$/.test(before);
  if (schema.type !== 'string')
    return [Number(text.replace(/,(?=\d{3}\b)/g, '').replace(',', '.'))].find((each) =>
      isAllowed(schema, each),
    );
  const code = /country|currency/.test(about)
    ? CODE_OF.get(text.toLowerCase().replace(/s$/, ''))
    : undefined;
  const variants = [
    code && /\b(?:iso|code|currency)/.test(about) ? code : text,
    text,
    code,
    /\d/.test(text) ? text.toUpperCase() : text,
  ];
  return kind === 'mark' ? undefined : variants.find((each) => each && isAllowed(schema, each));
}

function isAllowed(
  { type, pattern, minimum, maximum }: JsonSchema,
  value: string | number,
): boolean {
  if (typeof value === 'string') return new RegExp(String(pattern ?? '')).test(value);
  if (type === 'integer' && !Number.isInteger(value)) return false;
  return value >= Number(minimum ?? -Infinity) && value <= Number(maximum ?? Infinity);
}

function put(target: Record<string, unknown>, [key, ...rest]: string[], value: unknown): void {
  if (value === undefined) return;
  if (rest.length === 0) target[key] = value;
  else put((target[key] ??= {}) as Record<string, unknown>, rest, value);
}
