export type Topic = 'region' | 'language' | 'currency' | 'unit';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
const catalogues = new Map<Topic, ReadonlyMap<string | undefined, string>>();

/** The ISO code of a country, language, currency or unit with an English name: "Germany" is `DE`. */
export function codeNamed(topic: Topic, name: string): string | undefined {
  const codes = catalogues.get(topic) ?? new Map(namesOf(topic));
  catalogues.set(topic, codes);
  return codes.get(name) ?? codes.get(name.toLowerCase().replace(/s$/, ''));
}

/** The JavaScript engine has all the names, so there is no list to keep. */
function* namesOf(topic: Topic): Generator<[name: string | undefined, code: string]> {
  if (topic === 'unit') {
    for (const unit of Intl.supportedValuesOf('unit')) {
      const name = (unitDisplay: 'long' | 'short') =>
        (1).toLocaleString('en', { style: 'unit', unit, unitDisplay }).replace(/1\s?/, '');
      yield* [
        [name('long'), unit],
        [name('short'), unit],
      ];
    }
    return;
  }
  const names = new Intl.DisplayNames('en', { type: topic, fallback: 'none' });
  for (const key of topic === 'currency' ? Intl.supportedValuesOf(topic) : PAIRS) {
    // A region that is out of use leads to the one in force: UK to GB.
    const code =
      topic === 'region'
        ? (new Intl.Locale(`und-${key}`).region ?? key)
        : topic === 'language'
          ? key.toLowerCase()
          : key;
    const name = names.of(code)?.toLowerCase();
    yield [name, code];
    if (topic === 'region') yield [key, code];
    if (topic !== 'currency') continue;
    const price = (0).toLocaleString('en', { style: 'currency', currency: code });
    // English writes "$" for one of the dollars and "CA$" for another: "dollars" means the first.
    if (/^\p{Sc}/u.test(price))
      yield* [
        [price.charAt(0), code],
        [name?.split(' ').at(-1), code],
      ];
  }
}
