import { codeNamed } from './name.catalogue.js';
import { contentWords } from './word.normalizer.js';

const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)`;
const NUMERALS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const NAME = String.raw`(?:(?:Dr|Mrs?|Ms|Prof|St)\. )?\p{Lu}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]+)*`;
/** Tried in this order at every place, so that the digits of `A-1042` are not read as a number. */
const KINDS = {
  quoted: `"[^"]+"|“[^”]+”|(?<![\\w'])'[^']+'(?!\\w)`,
  uri: String.raw`https?:\/\/[^\s"'<>]*[^\s"'<>.,;:!?)]`,
  email: String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`,
  date: String.raw`\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?(?!\w)`,
  day: String.raw`(?:${DAY} (?:of )?${MONTH}|${MONTH} ${DAY}),? \d{4}`,
  time: String.raw`\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m\b)?|\d{1,2}\s?[ap]m\b`,
  sum: String.raw`[\d(][\d.\s()]*(?:[-+*/^]\s*[\d(][\d.\s()]*)+(?<=[\d)])(?!\w)`,
  number: String.raw`-?${NUMBER}(?=(?:[a-z]{0,3}|[A-Z]{3})(?![\w/-]|[.:]\w))`,
  code: String.raw`\+\d[\d ()-]{6,}\d|(?=[\w-]*\d)[\w#][\w#-]+(?:[./:]\w+)*|\w+(?:[._/:@]\w+)+|[A-Z]+(?:-[A-Z]+)+`,
  caps: String.raw`\p{Lu}{2,}(?!\p{Ll})|\p{Sc}`,
  name: String.raw`${NAME}(?=['’]s\b| \p{Lu}\p{Ll})|(?<=[^.?!;\s] *)${NAME}`,
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
export const PREPOSITION = /^(?:to|into|in|on|at|by|for|from|of|with|about)$/i;
export const JOINT = /^(?:and|or|,|&)$/i;
export const SENTENCE_END = /^[;.?!\n]$/;

/** A piece of the prompt. All but words, units and marks may be the value of an argument. */
export interface Token {
  readonly kind: keyof typeof KINDS | 'word' | 'unit';
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
  for (const { 0: source, index: start, groups = {} } of prompt.matchAll(SCANNER)) {
    const end = start + source.length;
    const last = tokens.at(-1);
    const words = contentWords(source);
    const [group = ''] = Object.keys(groups).filter((key) => groups[key]);
    let [kind, text] = [group as Token['kind'], source];
    if (NUMERALS.includes(source)) [kind, text] = ['number', String(NUMERALS.indexOf(source))];
    else if (group === 'quoted') text = source.slice(1, -1);
    else if (group === 'day') [kind, text] = ['date', toIsoDate(source)];
    else if (group === 'phrase' && words.length > 0 && codeNamed('unit', source)) kind = 'unit';
    else if (/name|phrase/.test(group) && words.every(knows)) {
      kind =
        group === 'name' && words.length > 0 && PREPOSITION.test(last?.text ?? '')
          ? 'name'
          : 'word';
    }
    const head = kind === 'name' && PARTICLE.test(last?.text ?? '') ? tokens.at(-2) : last;
    if (
      head?.kind === kind &&
      /name|phrase/.test(kind) &&
      /^ (?:\p{Ll}+ )?$/u.test(prompt.slice(head.end, start))
    ) {
      // "Ada" and "Lovelace", or "Isle", "of" and "Man", are one name.
      tokens.splice(tokens.indexOf(head), 2, { ...head, text: prompt.slice(head.start, end), end });
      continue;
    }
    const item = tokens.findLast((token) => !JOINT.test(token.text));
    const context = tokens
      .slice(-5)
      .filter((token) => !ARTICLE.test(token.text))
      .slice(-2);
    const before =
      item !== last && item?.kind === kind
        ? item.before
        : context.map((token) => token.text.toLowerCase()).join(' ');
    const after =
      /^\W?\s?(\p{L}+|\p{Sc})/u.exec(prompt.slice(end, end + 20))?.[1].toLowerCase() ?? '';
    tokens.push({ kind, text, start, end, before, after });
  }
  return tokens;
}

function toIsoDate(day: string): string {
  const plain = day.replace(/(?<=\d)(?:st|nd|rd|th)|of /g, '');
  return new Date(`${plain} UTC`).toISOString().slice(0, 10);
}
