/** Tried in this order at every place, so that the digits of `A-1042` are not read as a number. */
const KINDS = {
  quoted: String.raw`"[^"]+"|“[^”]+”|(?<![\w'])'[^']+'(?!\w)`,
  number: String.raw`-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:[.,]\d+)?(?=(?:[a-z]{0,3}|[A-Z]{3})(?![\w/-]|[.:]\w))`,
  code: String.raw`(?=[\w-]*[\d@_/:A-Z]|\w+\.\w)[\w#]+(?:[-._/:@+]+\w+)+|\w*\d\w*|\p{Lu}{2,}(?!\p{Ll})|\p{Sc}`,
  name: String.raw`(?:(?:Dr|Mrs?|Ms|Prof)\. )?\p{Lu}[\p{L}\p{M}]+(?:(?:['’-]| (?:de |van |von |of )?)\p{Lu}[\p{L}\p{M}]+)*`,
  word: String.raw`[\p{L}\p{M}]+(?:['’-]\p{L}+)*`,
  mark: String.raw`['’]s\b|[,;.?!\n&]`,
};
const SCANNER = new RegExp(
  Object.entries(KINDS)
    .map(([kind, pattern]) => `(?<${kind}>${pattern})`)
    .join('|'),
  'gu',
);
const ARTICLE = /^(?:the|an?|my|your|our|his|her|their|this|that)$/;

/** A piece of a prompt. `before` has two words, for all items of a list those before the list. */
export type Token = { kind: string; text: string; start: number; end: number; before: string };

/** Cuts a prompt into tokens; `knows` tells which words are no names where they start a sentence. */
export function readPrompt(prompt: string, knows: (word: string) => boolean): Token[] {
  const tokens: Token[] = [];
  const plain = prompt.replace(
    /(?<=^\s*|[.?!;]\s+)\p{Lu}\p{L}*(?!['’]s\b)/gu,
    (word, at: number) => {
      const named = /^ \p{Lu}/u.test(prompt.slice(at + word.length)) && !knows(word);
      return named ? word : word.toLowerCase();
    },
  );
  for (const { 0: source, index: start, groups = {} } of plain.matchAll(SCANNER)) {
    const [kind] = Object.keys(groups).filter((key) => groups[key]);
    const [head, joint] = tokens.slice(-2);
    const words = tokens
      .slice(-5)
      .map(({ text }) => text.toLowerCase())
      .filter((word) => !ARTICLE.test(word));
    const listed = head?.kind === kind && /^(?:and|or|,|&)$/.test(joint?.text);
    const before = listed ? head.before : words.slice(-2).join(' ');
    const text = kind === 'quoted' ? source.slice(1, -1) : source;
    tokens.push({ kind, text, start, end: start + source.length, before });
  }
  return tokens;
}
