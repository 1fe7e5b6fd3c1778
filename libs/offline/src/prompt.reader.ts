import { contentWords } from './word.normalizer.js';

const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)`;
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`;

/** Tried in this order at every place of the prompt, so that the digits of `A-1042` are no number. */
const PATTERNS = {
  quoted: `"[^"]+"|“[^”]+”|«[^»]+»|(?<![\\w'])'[^']+'(?!\\w)`,
  uri: String.raw`https?:\/\/[^\s"'<>]*[^\s"'<>.,;:!?)]`,
  email: String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`,
  uuid: String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`,
  date: String.raw`\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?(?!\w)`,
  day: String.raw`(?:${DAY} (?:of )?${MONTH}|${MONTH} ${DAY}),? \d{4}`,
  time: String.raw`\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m\b)?|\d{1,2}\s?[ap]m\b`,
  sum: String.raw`[\d(][\d.\s()]*(?:[-+*/^]\s*[\d(][\d.\s()]*)+(?<=[\d)])(?!\w)`,
  code: [
    String.raw`\+\d[\d ()-]{6,}\d`,
    String.raw`[A-Z]+(?:-[A-Z]+)+`,
    String.raw`(?!${NUMBER}(?:[a-z]{0,3}|[A-Z]{3})(?![\w/-]|[.:]\w))(?:(?=[\w-]*\d)(?=[\w-]*[\p{L}-])[\w#]+(?:[-_./:]\w+)*|\w+(?:[._/:@]\w+)+)`,
  ].join('|'),
  number: `-?${NUMBER}`,
  caps: String.raw`\p{Lu}{2,}(?!\p{Ll})|\p{Sc}`,
  name: String.raw`(?:(?:Dr|Mrs?|Ms|Prof|St)\. )?\p{Lu}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]+)*`,
  word: String.raw`[\p{L}\p{M}]+(?:['’-]\p{L}+)*`,
  mark: String.raw`['’]s\b|[,;.?!:\n&]`,
};
const SCANNER = new RegExp(
  Object.entries(PATTERNS)
    .map(([kind, pattern]) => `(?<${kind}>${pattern})`)
    .join('|'),
  'gu',
);

export type TokenKind = Exclude<keyof typeof PATTERNS, 'day' | 'sum'> | 'phrase';

/** A piece of the prompt that may be the value of an argument. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether the tools use the word themselves, or it has no sense of its own. */
  readonly known: boolean;
  /** The word before it, without articles; the items of a list share the word before the list. */
  readonly before: string;
  /** The word before that one: "weight" for the 2 of "a weight of 2". */
  readonly label: string;
  /** The word after it, such as the unit of a number. */
  readonly after: string;
}

export const JOINT = /^(?:and|or|,|&)$/i;
export const SENTENCE_END = /^[;.?!\n]$/;
const PREPOSITION = /^(?:to|into|in|on|at|by|for|from|of|with|about|near|as|via|between)$/i;
const ARTICLE = /^(?:the|an?|my|your|our|his|her|their|this|that|:)$/i;
const PARTICLE = /^(?:of|de|da|del|der|di|du|la|le|van|von|al|bin)$/;
const NUMERALS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Cuts a prompt into tokens; `knows` tells whether the tools use a word themselves. */
export function readPrompt(prompt: string, knows: (word: string) => boolean): Token[] {
  const tokens: Token[] = [];
  for (const match of prompt.matchAll(SCANNER)) {
    const [group, text = ''] = Object.entries(match.groups ?? {}).find(([, part]) => part) ?? [];
    const [start, end] = [match.index, match.index + text.length];
    const known = contentWords(text).every(knows);
    const kind = kindOf(group, text, known, tokens, prompt.slice(end));
    const last = tokens.at(-1);
    const head = kind === 'name' && PARTICLE.test(last?.text ?? '') ? tokens.at(-2) : last;
    const grows = kind === 'name' || (kind === 'phrase' && !known);
    if (head && grows && head.kind === kind && (head !== last || head.end + 1 === start)) {
      const grown = { ...head, end, text: prompt.slice(head.start, end) };
      tokens.splice(tokens.indexOf(head), 2, grown);
    } else {
      const { before, label } = cueOf(kind, tokens);
      const value = valueOf(group, text);
      tokens.push({ kind, text: value, start, end, known, before, label, after: '' });
    }
  }
  return tokens.map((token, at) => ({ ...token, after: tokens[at + 1]?.text.toLowerCase() ?? '' }));
}

function kindOf(
  group: string | undefined,
  text: string,
  known: boolean,
  tokens: readonly Token[],
  rest: string,
): TokenKind {
  const last = tokens.at(-1);
  const kind = (group === 'day' ? 'date' : group === 'sum' ? 'code' : group) as TokenKind;
  if (kind === 'name') {
    const starts = !last || SENTENCE_END.test(last.text) || last.text === ':';
    const stands = starts ? /^(?:['’]s\b| \p{Lu}\p{Ll}|\s*$)/u.test(rest) : true;
    const plain = known && (starts || !/^ \p{Lu}/u.test(rest));
    return plain || !stands || contentWords(text).length === 0 ? 'word' : 'name';
  }
  if (kind !== 'word') return kind;
  if (NUMERALS.includes(text)) return 'number';
  if (contentWords(text).length === 0) return 'word';
  const { before } = cueOf('phrase', tokens);
  const follows = last?.kind === 'number' || (last?.kind === 'phrase' && !known);
  return follows || PREPOSITION.test(before) ? 'phrase' : 'word';
}

function valueOf(group: string | undefined, text: string): string {
  if (group === 'quoted') return text.slice(1, -1);
  if (group === 'word' && NUMERALS.includes(text)) return String(NUMERALS.indexOf(text));
  if (group !== 'day') return text;
  const day = text.replace(/(?<=\d)(?:st|nd|rd|th)|of /g, '');
  return new Date(`${day} UTC`).toISOString().slice(0, 10);
}

function cueOf(kind: TokenKind, tokens: readonly Token[]): Pick<Token, 'before' | 'label'> {
  const last = tokens.findLastIndex(({ text }) => !ARTICLE.test(text));
  const item = tokens.findLast(({ text }) => !JOINT.test(text));
  if (item && item !== tokens.at(-1) && item.kind === kind) return item;
  const [label, before] = [tokens[last - 1], tokens[last]];
  return { before: before?.text.toLowerCase() ?? '', label: label?.text.toLowerCase() ?? '' };
}
