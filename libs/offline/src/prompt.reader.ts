import { contentWords } from './word.normalizer.js';

/** Tried in this order at every place, so that the digits of `A-1042` are not read as a number. */
const KINDS = {
  quoted: String.raw`"[^"]+"|“[^”]+”|(?<![\w'])'[^']+'(?!\w)`,
  number: String.raw`-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:[.,]\d+)?(?=(?:[a-z]{0,3}|[A-Z]{3})(?![\w/-]|[.:]\w))`,
  code: String.raw`(?=[\w-]*[\d@_/:A-Z]|\w+\.\w)[\w#]+(?:[-._/:@+]+\w+)+|\w*\d\w*|\p{Lu}{2,}(?!\p{Ll})`,
  name: String.raw`(?:(?:Dr|Mrs?|Ms)\. )?\p{Lu}[\p{L}\p{M}]+(?:(?:['’-]| (?:de |van |von |of )?)\p{Lu}[\p{L}\p{M}]+)*`,
  word: String.raw`[\p{L}\p{M}]+(?:['’-]\p{L}+)*`,
  mark: String.raw`['’]s\b|[,;.?!\n&]`,
};
const GROUPS = Object.entries(KINDS).map(([kind, pattern]) => `(?<${kind}>${pattern})`);
const SCANNER = new RegExp(GROUPS.join('|'), 'gu');
const START = /(?<=^\s*|(?<!\b(?:Dr|Mrs?|Ms))[.?!;]\s+)\p{Lu}\p{L}*(?!['’]s\b)/gu;

/** A piece of a prompt. `before` has the two words before it, or before the list that it belongs to. */
export type Token = { kind: string; text: string; start: number; end: number; before: string };

/** Cuts a prompt into tokens; `words` are no names where they start a sentence. */
export function readPrompt(prompt: string, words: ReadonlySet<string>): Token[] {
  const tokens: Token[] = [];
  const text = prompt.replace(START, (word, at: number) => {
    const named = /^ \p{Lu}/u.test(prompt.slice(at + word.length));
    return named && contentWords(word).some((each) => !words.has(each)) ? word : word.toLowerCase();
  });
  for (const { 0: source, index: start, groups = {} } of text.matchAll(SCANNER)) {
    const [kind] = Object.keys(groups).filter((key) => groups[key]);
    const [head, joint] = tokens.slice(-2);
    const listed = head?.kind === kind && /^(?:and|or|,|&)$/.test(joint.text);
    const near = tokens.filter((token) => !/^(?:the|an?|my|your|our)$/.test(token.text)).slice(-2);
    const before = listed ? head.before : near.map((token) => token.text.toLowerCase()).join(' ');
    const value = kind === 'quoted' ? source.slice(1, -1) : source;
    tokens.push({ kind, text: value, start, end: start + source.length, before });
  }
  return tokens;
}
