/**
 * What credentials look like wherever they stand, with what is left of them. Every repetition is bounded,
 * because the patterns run on texts that a model or a server may have written to keep the process busy.
 */
const SHAPES: readonly (readonly [RegExp, (mark: string) => string])[] = [
  // User info of a URL.
  [/(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/]{1,500}@/gi, (mark) => `$1${mark}@`],
  // Keys of providers and platforms. A provider may quote one with stars in it.
  [
    /\b(?:(?:sk|pk|rk|ghp|gho|gsk|csk|xai|hf|nvapi|pplx|r8|xox[abp])[-_][\w*.-]{6,1000}|AKIA[A-Z0-9]{12,100}|AIza[\w-]{20,1000})/g,
    (mark) => mark,
  ],
  [
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{1,10000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
    (mark) => mark,
  ],
  // JSON Web Tokens.
  [/(?<![\w-])eyJ[\w-]{8,2000}\.[\w-]{8,2000}\.[\w-]{0,2000}/g, (mark) => mark],
];

/** Puts a mark in place of all that looks like a credential by itself. */
export function redactShapes(text: string, mark: string): string {
  return SHAPES.reduce((rest, [shape, left]) => rest.replace(shape, left(mark)), text);
}
