const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
const PARTS = { currency: 'currency', unit: 'unit' } as const;
const [REGIONS, CURRENCIES, LANGUAGES] = (['region', 'currency', 'language'] as const).map(
  (type) => new Intl.DisplayNames('en', { type, fallback: 'none' }),
);
const cache = new Map<string, ReadonlyMap<string, string>>();

/** All names come with the JavaScript engine, so there are no lists to keep. */
const READERS: Readonly<Record<string, () => (readonly [name: string | undefined, code: string])[]>> = {
  countr: () =>
    PAIRS.flatMap((pair) => {
      const code = new Intl.Locale(`und-${pair}`).region ?? pair;
      const name = REGIONS?.of(code);
      return name ? [[name, code], [pair, code]] : [];
    }),
  currenc: () =>
    Intl.supportedValuesOf('currency').flatMap((code) => {
      const name = CURRENCIES?.of(code) ?? code;
      const [symbol = ''] = new Intl.NumberFormat('en', { style: 'currency', currency: code }).format(0);
      // English writes "$" for one dollar only, and "CA$" for another: "dollars" means the former.
      return /\p{Sc}/u.test(symbol) ? [[symbol, code], [name.split(' ').at(-1), code], [name, code]] : [[name, code]];
    }),
  languag: () => PAIRS.map((pair) => [LANGUAGES?.of(pair.toLowerCase()), pair.toLowerCase()]),
  unit: () =>
    Intl.supportedValuesOf('unit').flatMap((unit) =>
      ['long', 'short'].flatMap((unitDisplay) => [1, 2].map((n) => n.toLocaleString('en', { style: 'unit', unit, unitDisplay }).replace(/[\d\s]/g, '')), unit]))
};
