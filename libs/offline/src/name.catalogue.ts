type Topic = 'region' | 'language' | 'currency' | 'unit';
type Entry = readonly [name: string | undefined, code: string];

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
const catalogues = new Map<Topic, ReadonlyMap<string | undefined, string>>();

/** The code of a country, language, currency or unit by its English name: "Germany" is `DE`. */
export function codeNamed(topic: Topic, name: string): string | undefined {
  // The JavaScript engine knows all these names, so there are no lists to keep.
  const codes = catalogues.get(topic) ?? new Map(entriesOf(topic));
  catalogues.set(topic, codes);
  const lower = name.toLowerCase();
  return codes.get(name) ?? codes.get(lower) ?? codes.get(lower.replace(/s$/, ''));
}

function entriesOf(topic: Topic): Entry[] {
  if (topic === 'unit') {
    return Intl.supportedValuesOf('unit').flatMap((unit) =>
      (['long', 'short'] as const).map((unitDisplay) => {
        const text = new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay }).format(1);
        return [text.replace(/^1\s?/, ''), unit] as const;
      }),
    );
  }
  const names = new Intl.DisplayNames('en', { type: topic, fallback: 'none' });
  const named = (code: string) => [names.of(code)?.toLowerCase(), code] as const;
  if (topic === 'language') return PAIRS.map((pair) => named(pair.toLowerCase()));
  if (topic === 'region') {
    // A code out of use has the one in force as its region: `UK` has `GB`.
    const codes = PAIRS.map(
      (pair) => [pair, new Intl.Locale(`und-${pair}`).region ?? pair] as const,
    );
    return [...codes, ...codes.map(([, code]) => named(code))];
  }
  return Intl.supportedValuesOf('currency').flatMap((code) => {
    const price = new Intl.NumberFormat('en', { style: 'currency', currency: code }).format(0);
    const [name, same] = named(code);
    // English writes "$" for one of the dollars and "CA$" for another: "dollars" alone is the first.
    const [symbol] = /^\p{Sc}/u.exec(price) ?? [];
    return symbol
      ? [
          [name, same],
          [symbol, code],
          [name?.split(' ').at(-1), code],
        ]
      : [[name, same]];
  });
}
