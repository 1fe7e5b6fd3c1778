import { contentWords } from './word.normalizer.js';

const NAME = String.raw`(?:(?:Dr|Mrs?|Ms|Prof)\. )?\p{Lu}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]+)*`;
/** Tried in this order at every place, so that the digits of `A-1042` are not read as a number. */
const KINDS = {
  article: String.raw`\b(?:the|an?|my|your|our|his|her|their|this|that)\b`,
  quoted: String.raw`"[^"]+"|“[^”]+”|(?<![\w'])'[^']+'(?!\w)`,
  uri: String.raw`https?:\/\/[^\s"'<>]*[^\s"'<>.,;:!?)]`,
  email: String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`,
  date: String.raw`\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?(?!\w)`,
  time: String.raw`\d{1,2}:\d\d(?::\d\d)?|\d{1,2}\s?[ap]m\b`,
  sum: String.raw`[\d(][\d.\s()]*(?:[-+*/^]\s*[\d(][\d.\s()]*)+(?<=[\d)])(?!\w)`,
  number: String.raw`-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:[.,]\d+)?(?=(?:[a-z]{0,3}|[A-Z]{3})(?![\w/-]|[.:]\w))`,
  code: String.raw`(?=[\w-]*\d)[\w#][\w#-]+(?:[./:]\w+)*|\w+(?:[._/:@]\w+)+|\p{Lu}{2,}(?!\p{Ll})[-\p{Lu}]*|\p{Sc}`,
  // A capital letter that starts a sentence makes no name of a word alone.
  name: String.raw`${NAME}(?=['’]s\b| \p{Lu}\p{Ll})|(?<=[^.?!;\s] *)${NAME}`,
  word: String.raw`[\p{L}\p{M}]+(?:['’-]\p{L}+)*`,
  mark: String.raw`['’]s\b|[,;.?!\n&]`,
};
const GROUPS = Object.entries(KINDS).map(([kind, pattern]) => `(?<${kind}>${pattern})`);
const SCANNER = new RegExp(GROUPS.join('|'), 'gu');

/** A piece of a prompt. */
export interface Token {
  readonly kind: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The two words before it; the items of a list share those before the list. */
  readonly before: string;
  /** The word after it, a unit for example. */
  readonly after: string;
}

/** Cuts a prompt into tokens. A word that `knows` tells to be one of the tools' own is `known`. */
export function readPrompt(prompt: string, knows: (word: string) => boolean): Token[] {
  const tokens: Token[] = [];
  for (const { 0: source, index: start, groups = {} } of prompt.matchAll(SCANNER)) {
    let [kind] = Object.keys(groups).filter((key) => groups[key]);
    const [head, last] = [tokens.at(-2), tokens.at(-1)];
    const end = start + source.length;
    const introduced =
      kind === 'name' && /^(?:to|in|at|by|for|from|of|with|about)$/.test(last?.text ?? '');
    if (/name|word/.test(kind) && !introduced && contentWords(source).every(knows)) kind = 'known';
    if (kind === 'article') continue;
    if (last?.kind === kind && /name|word/.test(kind) && last.end + 1 === start) {
      tokens.splice(-1, 1, { ...last, text: prompt.slice(last.start, end), end });
      continue;
    }
    const listed = head?.kind === kind && /^(?:and|or|,|&)$/.test(last?.text ?? '');
    const before = listed
      ? head.before
      : tokens
          .slice(-2)
          .map(({ text }) => text.toLowerCase())
          .join(' ');
    const [, after = ''] = /^\W?\s?(\p{L}+|\p{Sc})/u.exec(prompt.slice(end, end + 20)) ?? [];
    const text = kind === 'quoted' ? source.slice(1, -1) : source;
    tokens.push({ kind, text, start, end, before, after: after.toLowerCase() });
  }
  return tokens;
}
