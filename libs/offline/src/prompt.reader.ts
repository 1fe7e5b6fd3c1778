import { codeNamed } from './name.catalogue.js';
import { contentWords } from './word.normalizer.js';

const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)`;
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`;

/** Tried in this order at every place, so that the digits of `A-1042` are not read as a number. */
const KINDS = {
  quoted: `"[^"]+"|“[^”]+”|(?<![\\w'])'[^']+'(?!\\w)`,
  uri: String.raw`https?:\/\/[^\s"'<>]*[^\s"'<>.,;:!?)]`,
  email: String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`,
  uuid: String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`,
  date: String.raw`\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?(?!\w)|(?:${DAY} (?:of )?${MONTH}|${MONTH} ${DAY}),? \d{4}`,
  time: String.raw`\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m\b)?|\d{1,2}\s?[ap]m\b`,
  code: [
    String.raw`\+\d[\d ()-]{6,}\d`,
    String.raw`[\d(][\d.\s()]*(?:[-+*/^]\s*[\d(][\d.\s()]*)+(?<=[\d)])(?!\w)`,
    String.raw`(?!${NUMBER}(?:[a-z]{0,3}|[A-Z]{3})(?![\w/-]|[.:]\w))(?=[\w-]*\d)(?=[\w-]*[\p{L}-])[\w#]+(?:[-_./:]\w+)*`,
    String.raw`\w+(?:[._/:@]\w+)+|[A-Z]+(?:-[A-Z]+)+`,
  ].join('|'),
  number: `-?${NUMBER}`,
  caps: String.raw`\p{Lu}{2,}(?!\p{Ll})|\p{Sc}`,
  name: String.raw`(?:(?:Dr|Mrs?|Ms|Prof|St)\. )?\p{Lu}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]+)*`,
  phrase: String.raw`[\p{L}\p{M}]+(?:['’-]\p{L}+)*`,
  mark: String.raw`['’]s\b|[,;.?!:\n&]`,
};
const SCANNER = new RegExp(
  Object.entries(KINDS)
    .map(([kind, it]) => `(?<${kind}>${it})`)
    .join('|'),
  'gu',
);
const ARTICLE = /^(?:the|an?|my|your|our|his|her|their|this|that|:)$/i;
const PARTICLE = /^(?:of|de|da|del|der|di|du|la|le|van|von|al|bin)$/;
const NUMERALS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
export const JOINT = /^(?:and|or|,|&)$/i;
export const SENTENCE_END = /^[;.?!\n]$/;

/** A piece of the prompt that may be the value of an argument, unless it is a `word` or a `mark`. */
export interface Token {
  readonly kind: keyof typeof KINDS | 'unit' | 'word';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The two words before it, without articles; the items of a list share those before the list. */
  readonly before: string;
  readonly after: string;
}

/** Cuts a prompt into tokens; `knows` tells whether a word is one that the tools use themselves. */
export function readPrompt(prompt: string, knows: (word: string) => boolean): Token[] {
  const tokens: Token[] = [];
  for (const match of prompt.matchAll(SCANNER)) {
    const [group, source = ''] = Object.entries(match.groups ?? {}).find(([, it]) => it) ?? [];
    const end = match.index + source.length;
    const kind = kindOf(group, source, tokens.at(-1), prompt.slice(end), knows);
    const whole =
      kind === 'name' && PARTICLE.test(tokens.at(-1)?.text ?? '') ? tokens.at(-2) : tokens.at(-1);
    if (
      whole &&
      kind === whole.kind &&
      /^(?:name|phrase)$/.test(kind) &&
      /^ (?:\p{Ll}+ )?$/u.test(prompt.slice(whole.end, match.index))
    ) {
      tokens.splice(tokens.indexOf(whole), 2, {
        ...whole,
        end,
        text: prompt.slice(whole.start, end),
      });
    } else {
      tokens.push({
        kind,
        text: valueOf(kind, source),
        start: match.index,
        end,
        before: contextOf(kind, tokens),
        after: '',
      });
    }
  }
  return tokens.map((token, at) => ({ ...token, after: tokens[at + 1]?.text.toLowerCase() ?? '' }));
}

function kindOf(
  group: string | undefined,
  text: string,
  last: Token | undefined,
  rest: string,
  knows: (word: string) => boolean,
): Token['kind'] {
  if (group !== 'name' && group !== 'phrase') return group as Token['kind'];
  if (NUMERALS.includes(text)) return 'number';
  const words = contentWords(text);
  if (words.length > 0 && group === 'phrase' && codeNamed('unit', text)) return 'unit';
  const known = words.every(knows);
  if (group === 'phrase') return known ? 'word' : 'phrase';
  // A capital letter at the start of a sentence makes no name.
  const starts = !last || SENTENCE_END.test(last.text);
  if (words.length === 0 || (known && (starts || !/^ \p{Lu}/u.test(rest)))) return 'word';
  return starts && !/^(?:['’]s\b| \p{Lu}\p{Ll})/u.test(rest) ? 'phrase' : 'name';
}

function valueOf(kind: Token['kind'], text: string): string {
  if (kind === 'quoted') return text.slice(1, -1);
  if (kind === 'number') return NUMERALS.includes(text) ? String(NUMERALS.indexOf(text)) : text;
  if (kind !== 'date' || /^\d{4}/.test(text)) return text;
  const day = text.replace(/(?<=\d)(?:st|nd|rd|th)|of /g, '');
  return new Date(`${day} UTC`).toISOString().slice(0, 10);
}

function contextOf(kind: Token['kind'], tokens: readonly Token[]): string {
  const item = tokens.findLast(({ text }) => !JOINT.test(text));
  if (item && item !== tokens.at(-1) && item.kind === kind) return item.before;
  const words = tokens.slice(-6).filter(({ text }) => !ARTICLE.test(text));
  return words
    .slice(-2)
    .map(({ text }) => text.toLowerCase())
    .join(' ');
}
