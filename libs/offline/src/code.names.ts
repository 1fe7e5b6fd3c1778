const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
const CODES = {
  region: PAIRS.filter((pair) => new Intl.Locale(`und-${pair}`).region === pair),
  currency: Intl.supportedValuesOf('currency'),
};

/** ISO codes by the English names that the JavaScript engine has: "germany" is `DE`. */
export const CODE_OF = new Map(
  (['region', 'currency'] as const).flatMap((type) => {
    const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
    return CODES[type].map((code) => [names.of(code)?.toLowerCase() ?? code, code]);
  }),
);
