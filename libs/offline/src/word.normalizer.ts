import { codeNamed } from './name.catalogue.js';

/** Words that do not tell one tool from another. */
const STOP_WORDS = new Set(
  `a an the this that these those some any each all my your his her its our their me you he she it we
  they them us i m s t d re ll ve is are was were be been being am do does did done have has had will
  would can could should may might must please want need like let what which who whom whose when where
  how why of to in into on at by for from with about as and or not no if so then than there here up
  out also too just very now today tomorrow yesterday tonight currently hello hi hey thanks thank via
  per between during right good saying called named got january february march april june july august
  september october november december monday tuesday wednesday thursday friday saturday sunday`.split(
    /\s+/,
  ),
);
/** The words of a line count as its first one, and those of the first line say little about a tool. */
const SYNONYMS = `find search look lookup seek get fetch show list display retrieve give tell check query
create add make set book schedule reserve arrange
delete remove cancel drop
meaning mean define definition dictionary
weather forecast temperature rain hot cold warm sunny
price cost fee
translate translation say
maximum max most below under less
minimum min least above over more`;
const NORMAL = new Map(
  SYNONYMS.split('\n').flatMap((line) =>
    line.split(' ').map((word, _, [first]) => [stem(word), first]),
  ),
);

/** Takes off common English endings, so that "plans", "planned" and "planning" are one word. */
function stem(word: string): string {
  const singular = word.replace(/ies$/, 'y').replace(/(?<=ss|sh|ch|x)es$|(?<=[^sui])s$/, '');
  const root = singular.replace(/(?<=\w{3})(?:ing|ed)$|(?<=\w{5})ion$/, '');
  return root.replace(/(?<=([bdgmnprt]))\1$|(?<=\w{3})e$/, '');
}

/** `findByDate` and `find_by_date` have the words find, by, date. */
export function splitWords(text: string): string[] {
  const spaced = text.replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
  return (
    spaced
      .toLowerCase()
      .replaceAll('e-mail', 'email')
      .match(/\p{L}+/gu) ?? []
  );
}

/** The words that carry the sense of a text, in their normal forms. */
export function contentWords(text: string): string[] {
  const words = splitWords(text).filter((word) => !STOP_WORDS.has(word));
  return words.map((word) => NORMAL.get(stem(word)) ?? codeNamed('unit', word) ?? stem(word));
}
