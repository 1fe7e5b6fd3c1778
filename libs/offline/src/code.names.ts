type Kind = 'region' | 'currency' | 'language';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
const known = new Map<Kind, ReadonlyMap<string, string>>();

/** The ISO code of a country, currency or language by its English name, where one is `wanted`. */
export function codeNamed(text: string, wanted: string): string | undefined {
  const [, word] = /\b(countr|currenc|language)/i.exec(wanted) ?? [];
  if (!word) return undefined;
  const kind = ({ countr: 'region', currenc: 'currency', language: 'language' } as const)[word.toLowerCase()]
}
