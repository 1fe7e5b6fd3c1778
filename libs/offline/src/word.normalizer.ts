const FILLERS = `a an the this that these those some any each all my your his her its our their me you he she
  it we they them us i m s t is are was were be been am do does did have has had will would can could should
  may might must please want need like let what which who when where how why of to in into on at by for from
  with about as and or not no if so then than there here up out also too now today tomorrow hello thanks saying
  find search look get fetch show list give tell check return explain compute apply describe type string properties`;
const STOP_WORDS = new Set(FILLERS.split(/\s+/).flatMap((it) => [it, `${it}s`]));

/** Takes off English endings and makes one word of some that mean the same. */
function normalize(word: string): string {
  return word
    .replace(/(?<=\w{3})(?:ies|ing|ed|es|ion|[esy])$/, '')
    .replace(/(.)\1$/, '$1')
    .replace(/^(?:creat|ad|mak|set|schedul|reserv|arrang)$/, 'book')
    .replace(/^(?:mean|defin|definit|dictionar)$/, 'define')
    .replace(/^(?:forecast|temperatur|rain|hot|cold|warm|sun)$/, 'weather')
    .replace(/^(?:cost|fe)$/, 'pric');
}

/** `findByDate` and `find_by_date` have the words find, by, date. */
export function splitWords(text: string): string[] {
  const spaced = text.replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
  return spaced.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
}

export function contentWords(text: string): string[] {
  const words = splitWords(text).filter((word) => !STOP_WORDS.has(word));
  return words.map((word) => normalize(word));
}
