/** The words of a group count as its first word; those of the first group carry no sense. */
const GROUPS =
  `a an the this that these those some any each all my your his her its our their me you he she
  it we they them us i m s t d re ll ve is are was were be been am do does did done have has had will would
  can could should may might must please want need like let what which who when where how why of to in
  into on at by for from with about as and or not no if so then than there here up out also too just now
  today tomorrow yesterday currently hello hi thanks via per between saying called named
  | find search look lookup seek get fetch show list display give tell check query compare
  | create add make set book schedule reserve arrange | delete remove cancel drop | price cost fee
  | meaning mean define definition dictionary | weather forecast temperature rain hot cold warm sunny
  | translate translation say | kilogram kilo kg`.split('|');
const NORMAL = new Map(
  GROUPS.flatMap(
    (group) => group.match(/\w+/g)?.map((word, _, [first]) => [stem(word), first]) ?? [],
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
  const words = splitWords(text).map((word) => NORMAL.get(stem(word)) ?? stem(word));
  return words.filter((word) => word !== 'a');
}
