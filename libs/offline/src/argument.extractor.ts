import type { JsonSchema } from 'nestjs-agent-tools';
import { contentWords, splitWords } from './word.normalizer.js';

export type Span = { start: number; end: number };
export type Clause = Span & { prompt: string; rest: (used: Span[], free: boolean) => string };

const QUOTED = String.raw`"[^"]+"|“[^”]+”|(?<!\w)'[^']+'(?!\w)`;
const TOKEN = String.raw`(?<![\w@])[\w#+]+(?:[\-.\/:@+]+\w+)*`;
const WORD = String.raw`(?:\p{Lu}\p{Ll}\p{L}*|\p{Lu}{2,}(?![\w\-]))`;
const WORDS = String.raw`(?:Dr\. |Mrs?\. |Ms\. )?${WORD}(?:(?:['’\-]| (?:of |de |van |von )?)${WORD})*`;
// A capital letter that starts a sentence makes no name, unless "'s" follows.
const NAME = String.raw`(?<!(?:^|[?!;]\s|\w{3}\.\s))${WORDS}|(?!(?:Show|Find|List|Get|Give|Tell|Check|What|Where|Is|Are|Do|Does)\b)${WORDS}(?=['’]s\b)`;
const FREE = String.raw`(\w+ )?(query|text|message|question|word|term|title|topic|note|content|body|subject|expression)\b`;
/** The first row that fits what is said about a parameter has the expression for its values. */
const KINDS = String.raw`^number  (?<![\w.,\/:\-])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\d|-?\w{4}|[\-\/:.,]\d)
  ^string(?!.*\bname\b).*mail        [\w.+\-]+@[\w\-]+(?:\.[\w\-]+)+
  ^string .*\bdate\b                 \b\d{4}-\d\d-\d\d(?:T[\d:.Z+\-]+)?
  ^string .*\btime\b                 \b\d{1,2}:\d\d\b
  ^string .*\b(currency|code)\b      \b(?:[A-Z]{2}[A-Z\d\-]*|\d{5}|\p{L}{2,}-\d+)\b
  ^string .*\b(number|u?u?id)\b      ${QUOTED}|(?=[\w\-]*\d)${TOKEN}
  ^string (from|to|source|target)\b  ${QUOTED}|${NAME}|(?<=\d |\b(?:from|to|into|in|many) )(?!(?:and|or|in|into|to|is|are|on|for)\b)\p{L}+
  ^string (?!${FREE})                ${QUOTED}|(?!\d+(?:[.,]\d+)*(?![\w\-]))(?=[\w\-]*\d|\w+[.\/_@]\w)${TOKEN}|${NAME}
  ^string                            ${QUOTED}`;
const ROWS = KINDS.split('\n').map((row) => row.trim().split(/ {2,}/));
const OPEN = 6; // The rows from here on are for text of any kind.
/** Words around "_", a value, that speak for a parameter. */
const CUES = [
  [/^string (?:from|source|origin)\b/, /\bfrom _|\d _|_ (?:to|into|in)$/],
  [/^string (?:to|target|dest\w*)\b/, /\b(?:to|into|in) _/],
  [/^string .*\b(?:city|place|country|language|name)/, /\b(?:in|into|at|to|for|of|by|with) _/],
  [/^number .*\b(?:amount|price|money)/, /\p{Sc} _|_ [A-Z]{3}$/u],
] as const;
const overlap = (one: Span, other: Span) => one.start < other.end && other.start < one.end;

/** Fills the arguments of a tool from a clause of the prompt, else from the whole of it. */
export function extractArguments(parameters: ReturnType<typeof findValues>, clause: Clause) {
  const calls: Record<string, unknown>[] = [{}];
  const missing: string[] = [];
  const used: Span[] = [];
  let rank = 0;
  const floor = parameters.some(({ required }) => required) ? 4.5 : 3;
  for (const parameter of parameters.toSorted((a, b) => a.kind - b.kind)) {
    const { key, required, list, kind, found } = parameter;
    const near = found.map((it) => (overlap(it, clause) ? it : { ...it, weight: it.weight - 3 }));
    const fit = near.filter(({ weight }) => weight >= (required ? 2 : floor));
    const free = fit.filter((it) => !used.some((other) => overlap(it, other)));
    const chosen = free.toSorted((a, b) => b.weight - a.weight).slice(0, 1);
    // The last parameter of a kind takes the other items of a list, too: "A-1 and A-2".
    for (const it of parameters.findLast((it) => it.kind === kind) === parameter ? free : []) {
      const gap = clause.prompt.slice(chosen.at(-1)?.end, it.start);
      if (/^(?:,| and| or|, and) $/.test(gap)) chosen.push(it);
    }
    used.push(...chosen);
    if (chosen[0]) rank += overlap(chosen[0], clause) ? chosen[0].weight - 2 : -2;
    const rest = (kind > OPEN && clause.rest(used, kind > OPEN + 1)) || undefined;
    const other = parameter.const ?? parameter.default ?? (list ? rest?.split(/,? and |, /) : rest);
    const values = chosen[0] || !required ? chosen.map(({ value }) => value) : [other].flat();
    if (required && values[0] === undefined) missing.push(key);
    const each = list && values.length > 0 ? [values] : values;
    while (calls.length < each.length) calls.push({ ...calls[0] });
    for (const [at, call] of calls.entries()) call[key] = each[at] ?? each[0];
  }
  return { calls: missing.length > 0 ? [] : calls, missing, rank: rank - 1.5 * missing.length };
}

/** The parameters of a tool, each with what the prompt may mean for it. */
export function findValues(root: JsonSchema, prompt: string) {
  return Object.entries(root.properties ?? {}).map(([key, member]) => {
    const { items, ...own } = resolve(member, root);
    const item = { ...own, ...resolve(Object(items), root) };
    const types = String(item.type ?? 'string').replace('integer', 'number');
    const type = types.replace(/,?null,?/, '');
    const about = [type, ...splitWords(key), item.format, item.description].join(' ').toLowerCase();
    const pattern = RegExp(String(item.pattern ?? ''));
    const fixed = type === 'boolean' ? [key] : item.enum;
    const texts = fixed?.map((it) => splitWords(String(it)).join('[\\s_\\-]*'));
    const row = ROWS.findIndex(([test]) => RegExp(test).test(about));
    const kind = texts ? -2 : pattern.test('xqzxqz') ? row : -1;
    const loose = kind < 0 ? `${NAME}|${TOKEN}` : ROWS[row][1];
    const source = texts ? `\\b(?:${texts.join('|')})s?\\b` : loose;
    const words = contentWords(about);
    const form = (it: unknown) => contentWords(String(it)).join() || it;
    const matches = [...prompt.matchAll(RegExp(source, kind < -1 ? 'giu' : 'gu'))].slice(0, 50);
    const found = matches.map((match) => {
      const [start, end] = [match.index, match.index + match[0].length];
      const before = prompt.slice(0, start).trim().split(/\s+/).slice(-2).join(' ');
      const around = `${before} _ ${prompt.slice(end).trim().split(/\s+/, 1)[0]}`;
      const near = contentWords(around).some((it) => words.includes(it)) ? 1.5 : 0;
      const cues = CUES.filter(([test, cue]) => test.test(about) && cue.test(around));
      const weight = (kind === 0 || kind >= OPEN ? 3 : kind > 0 ? 5 : 6) + near + 2 * cues.length;
      const raw = match[0].replace(/^["'“]|["'”]$/g, '');
      const all = [raw, +raw.replaceAll(',', ''), !/\b(?:no|not|without)$/.test(before)];
      const other = all.find((it) => typeof it === type && pattern.test(String(it)));
      const value = item.enum?.find((it) => form(it) === form(raw)) ?? other;
      return { start, end, value, weight: value === undefined ? 0 : weight };
    });
    return { ...item, key, kind, required: root.required?.includes(key), list: !!items, found };
  });
}

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const keys = schema.$ref?.split('/').slice(1);
  const target = keys?.reduce<unknown>((at, key) => Object(at)[key], root);
  const member = (schema.anyOf as JsonSchema[] | undefined)?.find(({ type }) => type !== 'null');
  const inner = (target ?? member) as JsonSchema | undefined;
  return inner ? { ...resolve(inner, root), ...schema } : schema;
}
