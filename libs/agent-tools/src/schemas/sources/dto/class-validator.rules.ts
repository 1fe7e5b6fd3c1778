import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { enumValues } from './enum-values.js';
import { shapeOf, type Shape } from './property-facts.js';

type Constraints = readonly unknown[];

/** What a rule of class-validator says about a value. */
export interface RuleFacts {
  readonly shape?: Shape;
  /** Only if no other source knows the shape better. */
  readonly vagueShape?: Shape;
  readonly keywords?: JsonSchema;
  /** What the keywords do not say: in these words, or (`true`) in the library's own. */
  readonly words?: string | true;
  /** The rule wants an array. */
  readonly isArray?: true;
}

type Rule = (constraints: Constraints) => RuleFacts;

const STRING = shapeOf(String);
const NUMBER = shapeOf(Number);
const INTEGER = scalar({ type: 'integer' });

const text = (keywords?: JsonSchema, words?: string | true): RuleFacts => ({
  shape: STRING,
  keywords,
  words,
});
const number = (keywords: JsonSchema): RuleFacts => ({ shape: NUMBER, keywords });
const list = (keywords?: JsonSchema, words?: string | true): RuleFacts => ({
  isArray: true,
  keywords,
  words,
});

/** Each rule that says more than words can, by the name under which the library stores it. */
const RULES: Readonly<Record<string, Rule>> = {
  isString: () => text(),
  isBoolean: () => ({ shape: shapeOf(Boolean) }),
  isInt: () => ({ shape: INTEGER }),
  isNumber: ([options]) => decimalPlaces(options),
  isDate: () => ({ shape: shapeOf(Date) }),
  isObject: () => ({ vagueShape: scalar({ type: 'object' }) }),
  isNotEmptyObject: () => ({
    vagueShape: scalar({ type: 'object' }),
    keywords: { minProperties: 1 },
  }),
  isInstance: ([type]) => ({ shape: shapeOf(type) }),
  isEnum: ([source]) => ({ keywords: { enum: jsonValues(enumValues(source)) } }),
  isIn: ([values]) => ({ keywords: { enum: jsonValues(values) } }),
  isNotIn: ([values]) => ({ keywords: { not: { enum: jsonValues(values) } } }),
  equals: ([value]) => (isJsonScalar(value) ? { keywords: { const: value } } : { words: true }),
  notEquals: ([value]) =>
    isJsonScalar(value) ? { keywords: { not: { const: value } } } : { words: true },
  isDefined: () => ({}),
  // `minLength` stays only where the value is a string: 0, false and [] are not empty here.
  isNotEmpty: () => ({ keywords: { minLength: 1 } }),
  isEmpty: () => ({
    vagueShape: scalar({ type: ['string', 'null'], maxLength: 0 }),
    words: 'must be empty or left out',
  }),

  min: ([value]) => number({ minimum: value }),
  max: ([value]) => number({ maximum: value }),
  isPositive: () => number({ exclusiveMinimum: 0 }),
  isNegative: () => number({ exclusiveMaximum: 0 }),
  // The library cuts the divisor to an integer.
  isDivisibleBy: ([value]) =>
    Number.isInteger(value) && value !== 0
      ? number({ multipleOf: Math.abs(value as number) })
      : { shape: NUMBER, words: true },
  isLatitude: () => degrees(90),
  isLongitude: () => degrees(180),

  minDate: ([date]) => dateLimit(date, 'not before'),
  maxDate: ([date]) => dateLimit(date, 'not after'),

  minLength: ([value]) => text({ minLength: value }),
  maxLength: ([value]) => text({ maxLength: value }),
  isLength: ([min, max]) => text(defined({ minLength: min, maxLength: max })),
  isByteLength: ([min, max]) =>
    text(
      defined({ maxLength: max }),
      `must have ${String(min)} to ${String(max ?? 'any number of')} bytes`,
    ),
  matches: ([pattern, modifiers]) => matching(pattern, modifiers),
  contains: ([seed]) => text({ pattern: escapePattern(String(seed)) }),
  notContains: ([seed]) => text({ not: { pattern: escapePattern(String(seed)) } }),
  isAlpha: ([locale]) => (locale ? text(undefined, true) : text({ pattern: '^[A-Za-z]+$' })),
  isAlphanumeric: ([locale]) =>
    locale ? text(undefined, true) : text({ pattern: '^[0-9A-Za-z]+$' }),
  isHexadecimal: () => text({ pattern: '^(0[xXhH])?[0-9A-Fa-f]+$' }),
  isMongoId: () => text({ minLength: 24, maxLength: 24 }, true),
  isBooleanString: () => text({ enum: ['true', 'false', '1', '0'] }),
  isEmail: ([options]) => (options ? text(undefined, true) : text({ format: 'email' })),
  isUuid: ([version]) =>
    text(
      { format: 'uuid' },
      version === undefined || version === 'all'
        ? undefined
        : `must be a UUID of version ${String(version)}`,
    ),
  // Without this option the library takes "example.com", which is no URI.
  isUrl: ([options]) =>
    (options as { require_protocol?: boolean } | undefined)?.require_protocol
      ? text({ format: 'uri' }, true)
      : text(undefined, true),
  isIp: ([version]) =>
    String(version) === '4'
      ? text({ format: 'ipv4' })
      : text(
          undefined,
          `must be an IP address${version === undefined ? '' : ` of version ${String(version)}`}`,
        ),
  isRFC3339: () => text({ format: 'date-time' }),
  // Not `date-time`: the library takes "2024-01-31" as well.
  isDateString: () => text(undefined, 'must be an ISO 8601 date'),
  isIso8601: () => text(undefined, 'must be an ISO 8601 date'),
  isDecimal: () => text(undefined, 'must be a decimal number'),
  isStrongPassword: ([options]) => text(undefined, strongPassword(options)),
  isIdentityCard: ([locale]) => text(undefined, inRegion('an identity card number', locale)),
  isPassportNumber: ([region]) => text(undefined, inRegion('a passport number', region)),
  isMobilePhone: ([locale]) => text(undefined, inRegion('a mobile phone number', locale)),
  isPostalCode: ([locale]) => text(undefined, inRegion('a postal code', locale)),
  isPhoneNumber: ([region]) =>
    text(
      undefined,
      region
        ? inRegion('a phone number', region)
        : 'must be a phone number in international form, such as +41446681800',
    ),

  isArray: () => list(),
  arrayNotEmpty: () => list({ minItems: 1 }),
  arrayMinSize: ([value]) => list({ minItems: value }),
  arrayMaxSize: ([value]) => list({ maxItems: value }),
  arrayUnique: () => list({ uniqueItems: true }),
  arrayContains: ([values]) => {
    const [first, ...others] = jsonValues(values);
    return others.length === 0 && isJsonScalar(first)
      ? list({ contains: { const: first } })
      : list(undefined, true);
  },
  arrayNotContains: ([values]) => list({ not: { contains: { enum: jsonValues(values) } } }),
};

/** Rules on strings that only the library's own words describe. */
const STRING_RULES: ReadonlySet<string> = new Set(
  (
    'isAscii isBIC isBase32 isBase58 isBase64 isBtcAddress isCreditCard isCurrency isDataURI ' +
    'isEAN isEthereumAddress IsFirebasePushId isFqdn isFullWidth isHSL isHalfWidth ' +
    'isHash isHexColor isIBAN isIsbn isIsin isISO31661Alpha2 isISO31661Alpha3 isISO31661Numeric ' +
    'isISO4217CurrencyCode isISO6391 isISRC isISSN isJson isJwt isLatLong isLocale ' +
    'isLowercase isMacAddress isMagnetURI isMilitaryTime isMimeType isMultibyte isNumberString ' +
    'isOctal isPort isRgbColor isSemVer isSurrogatePair isTaxId isTimeZone isUppercase ' +
    'isVariableWidth'
  ).split(' '),
);

/** What a rule says, by its name; a rule that is not the library's own is told in its words. */
export function describeRule(name: string, constraints: Constraints): RuleFacts {
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  if (rule) return rule(constraints);
  return STRING_RULES.has(name) ? text(undefined, true) : { words: true };
}

export function isKnownRule(name: string): boolean {
  return Object.hasOwn(RULES, name) || STRING_RULES.has(name);
}

function scalar(schema: JsonSchema): Shape {
  return { kind: 'scalar', schema };
}

/** A string is taken, too, which numeric keywords do not restrict. */
function degrees(limit: number): RuleFacts {
  return {
    vagueShape: scalar({ type: ['number', 'string'] }),
    keywords: { minimum: -limit, maximum: limit },
    words: true,
  };
}

function decimalPlaces(options: unknown): RuleFacts {
  const places = (options as { maxDecimalPlaces?: number } | undefined)?.maxDecimalPlaces;
  if (places === undefined) return { shape: NUMBER };
  if (places === 0) return { shape: INTEGER };
  // Not `multipleOf`: 19.99 is no multiple of 0.01 in floating point.
  return { shape: NUMBER, words: `must have at most ${places} decimal places` };
}

function dateLimit(date: unknown, relation: string): RuleFacts {
  const shape = shapeOf(Date);
  if (!(date instanceof Date)) return { shape };
  return { shape, words: `must be ${relation} ${date.toISOString()}` };
}

/** JSON Schema has no flags, and its patterns are Unicode patterns. */
function matching(pattern: unknown, modifiers: unknown): RuleFacts {
  const source = pattern instanceof RegExp ? pattern.source : String(pattern);
  const flags = pattern instanceof RegExp ? pattern.flags : String(modifiers ?? '');
  const isPlain = /^[gud]*$/.test(flags) && isUnicodePattern(source);
  return isPlain ? text({ pattern: source }) : text(undefined, `must match /${source}/${flags}`);
}

function isUnicodePattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

function escapePattern(seed: string): string {
  return seed.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function strongPassword(options: unknown): string {
  const given = (options ?? {}) as Record<string, number | undefined>;
  const { minLength = 8, minLowercase = 1, minUppercase = 1, minNumbers = 1 } = given;
  return (
    `must be a strong password: at least ${minLength} characters, of them ${minLowercase} lower case, ` +
    `${minUppercase} upper case, ${minNumbers} digits and ${given.minSymbols ?? 1} symbols`
  );
}

function inRegion(what: string, region: unknown): string {
  return region === undefined || region === 'any'
    ? `must be ${what}`
    : `must be ${what} of ${[region].flat().join(' or ')}`;
}

function jsonValues(values: unknown): unknown[] {
  const list = Array.isArray(values) ? values : Object.values(values ?? {});
  return list.filter(isJsonScalar);
}

function isJsonScalar(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
  );
}

function defined(keywords: Record<string, unknown>): JsonSchema {
  return Object.fromEntries(
    Object.entries(keywords).filter(([, value]) => value !== undefined && value !== null),
  );
}
