import { ApiProperty } from '@nestjs/swagger';
import * as v from 'class-validator';
import { Type } from 'class-transformer';

export interface RuleRow {
  /** The name under which class-validator stores the rule. */
  readonly rule: string;
  readonly decorate: readonly PropertyDecorator[];
  readonly designType?: unknown;
  readonly schema: object;
  readonly accepted: unknown;
  readonly refused: unknown;
  /** JSON Schema cannot refuse it; the words in the description say it. */
  readonly isLoose?: true;
  /** Why values that the library accepts are not described. */
  readonly narrower?: string;
}

class Inner {
  @ApiProperty()
  name!: string;
}

enum Color {
  Red = 'red',
  Blue = 'blue',
}

const TEXT = { type: 'string' };
const DATE_TIME = { type: 'string', format: 'date-time' };
const toDate = Type(() => Date);
const DATES = 'a Date is also made of numbers and of text that is no ISO 8601';

function words(
  rule: string,
  decorator: PropertyDecorator,
  description: string,
  accepted: string,
  refused: string,
): RuleRow {
  const schema = { ...TEXT, description };
  return { rule, decorate: [decorator], schema, accepted, refused, isLoose: true };
}

function text(
  rule: string,
  decorator: PropertyDecorator,
  keywords: object,
  accepted: string,
  refused: unknown,
): RuleRow {
  return { rule, decorate: [decorator], schema: { ...TEXT, ...keywords }, accepted, refused };
}

function number(
  rule: string,
  decorator: PropertyDecorator,
  keywords: object,
  accepted: number,
  refused: number,
): RuleRow {
  const schema = { type: 'number', ...keywords };
  return { rule, decorate: [decorator], schema, accepted, refused };
}

function list(
  rule: string,
  decorator: PropertyDecorator,
  keywords: object,
  accepted: string[],
  refused: unknown,
): RuleRow {
  return {
    rule,
    decorate: [decorator, v.IsString({ each: true })],
    schema: { type: 'array', items: TEXT, ...keywords },
    accepted,
    refused,
  };
}

const COMMON: RuleRow[] = [
  {
    rule: 'isDefined',
    decorate: [v.IsDefined()],
    designType: String,
    schema: TEXT,
    accepted: 'a',
    refused: null,
    narrower: 'the type of the property',
  },
  {
    rule: 'isNotEmpty',
    decorate: [v.IsNotEmpty(), v.IsString()],
    schema: { ...TEXT, minLength: 1 },
    accepted: 'a',
    refused: '',
  },
  {
    rule: 'isNotEmpty',
    decorate: [v.IsNotEmpty(), v.IsInt()],
    schema: { type: 'integer' },
    accepted: 0,
    refused: '',
  },
  {
    rule: 'isEmpty',
    decorate: [v.IsEmpty()],
    designType: Object,
    schema: { type: ['string', 'null'], maxLength: 0, description: 'must be empty or left out' },
    accepted: '',
    refused: 'a',
  },
  {
    rule: 'equals',
    decorate: [v.Equals('yes')],
    schema: { ...TEXT, const: 'yes' },
    accepted: 'yes',
    refused: 'no',
  },
  {
    rule: 'equals',
    decorate: [v.Equals(true)],
    schema: { type: 'boolean', const: true },
    accepted: true,
    refused: false,
  },
  {
    rule: 'notEquals',
    decorate: [v.NotEquals('no'), v.IsString()],
    schema: { ...TEXT, not: { const: 'no' } },
    accepted: 'yes',
    refused: 'no',
  },
  {
    rule: 'isIn',
    decorate: [v.IsIn(['a', 2, null])],
    schema: { type: ['string', 'number', 'null'], enum: ['a', 2, null] },
    accepted: 2,
    refused: 'b',
  },
  {
    rule: 'isNotIn',
    decorate: [v.IsNotIn(['a', 2])],
    designType: String,
    schema: { ...TEXT, not: { enum: ['a', 2] } },
    accepted: 'b',
    refused: 'a',
    narrower: 'the type of the property',
  },
  {
    rule: 'isLatLong',
    decorate: [v.IsLatLong()],
    schema: { ...TEXT, description: 'must be a latitude,longitude string' },
    accepted: '46.9,7.4',
    refused: '91,0',
    isLoose: true,
  },
  {
    rule: 'isLatitude',
    decorate: [v.IsLatitude()],
    designType: Object,
    schema: {
      type: ['number', 'string'],
      minimum: -90,
      maximum: 90,
      description: 'must be a latitude string or number',
    },
    accepted: 46.9,
    refused: 91,
  },
  {
    rule: 'isLongitude',
    decorate: [v.IsLongitude()],
    designType: Object,
    schema: {
      type: ['number', 'string'],
      minimum: -180,
      maximum: 180,
      description: 'must be a longitude string or number',
    },
    accepted: 146.9,
    refused: 181,
  },
];

const TYPES: RuleRow[] = [
  { rule: 'isString', decorate: [v.IsString()], schema: TEXT, accepted: '', refused: 1 },
  {
    rule: 'isBoolean',
    decorate: [v.IsBoolean()],
    schema: { type: 'boolean' },
    accepted: false,
    refused: 'false',
  },
  { rule: 'isInt', decorate: [v.IsInt()], schema: { type: 'integer' }, accepted: 1, refused: 1.5 },
  {
    rule: 'isNumber',
    decorate: [v.IsNumber()],
    schema: { type: 'number' },
    accepted: 1.5,
    refused: '1',
  },
  {
    rule: 'isNumber',
    decorate: [v.IsNumber({ maxDecimalPlaces: 2 })],
    schema: { type: 'number', description: 'must have at most 2 decimal places' },
    accepted: 19.99,
    refused: 1.234,
    isLoose: true,
  },
  {
    rule: 'isNumber',
    decorate: [v.IsNumber({ maxDecimalPlaces: 0 })],
    schema: { type: 'integer' },
    accepted: 2,
    refused: 1.5,
  },
  {
    rule: 'isEnum',
    decorate: [v.IsEnum(Color)],
    schema: { ...TEXT, enum: ['red', 'blue'] },
    accepted: 'red',
    refused: 'Red',
  },
  {
    rule: 'isDate',
    decorate: [v.IsDate(), toDate],
    schema: DATE_TIME,
    accepted: '2024-01-31T10:00:00Z',
    refused: 'soon',
    narrower: DATES,
  },
  {
    rule: 'minDate',
    decorate: [v.MinDate(new Date('2024-01-01T00:00:00Z')), toDate],
    schema: { ...DATE_TIME, description: 'must be not before 2024-01-01T00:00:00.000Z' },
    accepted: '2024-01-31T10:00:00Z',
    refused: '2023-01-31T10:00:00Z',
    isLoose: true,
    narrower: DATES,
  },
  {
    rule: 'maxDate',
    decorate: [v.MaxDate(() => new Date('2024-01-01T00:00:00Z')), toDate],
    schema: DATE_TIME,
    accepted: '2023-01-31T10:00:00Z',
    refused: '2024-01-31T10:00:00Z',
    isLoose: true,
    narrower: DATES,
  },
  {
    rule: 'isArray',
    decorate: [v.IsArray(), v.IsInt({ each: true })],
    schema: { type: 'array', items: { type: 'integer' } },
    accepted: [],
    refused: 1,
  },
  {
    rule: 'isObject',
    decorate: [v.IsObject()],
    designType: Object,
    schema: { type: 'object' },
    accepted: { a: 1 },
    refused: [],
  },
  {
    rule: 'isNotEmptyObject',
    decorate: [v.IsNotEmptyObject()],
    designType: Object,
    schema: { type: 'object', minProperties: 1 },
    accepted: { a: 1 },
    refused: {},
  },
  {
    rule: 'isInstance',
    decorate: [v.IsInstance(Inner)],
    designType: Object,
    schema: { $ref: '#/$defs/Inner' },
    accepted: { name: 'a' },
    refused: 'a',
    narrower: 'class-transformer makes an Inner of any object',
  },
];

const NUMBERS: RuleRow[] = [
  number('min', v.Min(2), { minimum: 2 }, 2, 1),
  number('max', v.Max(2), { maximum: 2 }, 2, 3),
  number('isPositive', v.IsPositive(), { exclusiveMinimum: 0 }, 0.5, 0),
  number('isNegative', v.IsNegative(), { exclusiveMaximum: 0 }, -0.5, 0),
  number('isDivisibleBy', v.IsDivisibleBy(5), { multipleOf: 5 }, 10, 11),
  {
    rule: 'isPositive',
    decorate: [v.IsPositive(), v.IsInt()],
    schema: { type: 'integer', exclusiveMinimum: 0 },
    accepted: 1,
    refused: 1.5,
  },
  {
    rule: 'min',
    decorate: [v.Min(2), v.Min(5, { groups: ['large'] })],
    schema: { type: 'number', minimum: 5 },
    accepted: 5,
    refused: 3,
  },
];

const ARRAYS: RuleRow[] = [
  list('arrayNotEmpty', v.ArrayNotEmpty(), { minItems: 1 }, ['a'], []),
  list('arrayMinSize', v.ArrayMinSize(2), { minItems: 2 }, ['a', 'b'], ['a']),
  list('arrayMaxSize', v.ArrayMaxSize(1), { maxItems: 1 }, ['a'], ['a', 'b']),
  list('arrayUnique', v.ArrayUnique(), { uniqueItems: true }, ['a', 'b'], ['a', 'a']),
  list('arrayContains', v.ArrayContains(['a']), { contains: { const: 'a' } }, ['a'], ['b']),
  {
    ...list(
      'arrayContains',
      v.ArrayContains(['a', 'b']),
      { description: 'must contain a, b values' },
      ['a', 'b'],
      ['a'],
    ),
    isLoose: true,
  },
  list(
    'arrayNotContains',
    v.ArrayNotContains(['a']),
    { not: { contains: { enum: ['a'] } } },
    ['b'],
    ['a'],
  ),
];

const STRINGS: RuleRow[] = [
  text('minLength', v.MinLength(2), { minLength: 2 }, 'ab', 'a'),
  text('maxLength', v.MaxLength(2), { maxLength: 2 }, 'ab', 'abc'),
  text('isLength', v.Length(2, 3), { minLength: 2, maxLength: 3 }, 'ab', 'a'),
  text('isLength', v.Length(2), { minLength: 2 }, 'ab', 'a'),
  {
    ...text(
      'isByteLength',
      v.IsByteLength(2, 4),
      { maxLength: 4, description: 'must have 2 to 4 bytes' },
      'éé',
      'ééé',
    ),
    isLoose: true,
  },
  text('matches', v.Matches(/^a+$/), { pattern: '^a+$' }, 'aa', 'b'),
  {
    ...text('matches', v.Matches(/^a+$/i), { description: 'must match /^a+$/i' }, 'AA', 'b'),
    isLoose: true,
  },
  {
    ...text('matches', v.Matches('^a+$', 'i'), { description: 'must match /^a+$/i' }, 'AA', 'b'),
    isLoose: true,
  },
  {
    ...text(
      'matches',
      v.Matches(new RegExp('^[\\w\\-\\_]+$')),
      { description: 'must match /^[\\w\\-\\_]+$/' },
      'a-b',
      'a b',
    ),
    isLoose: true,
  },
  text('contains', v.Contains('a.c'), { pattern: 'a\\.c' }, 'xa.cx', 'abc'),
  text('notContains', v.NotContains('a.c'), { not: { pattern: 'a\\.c' } }, 'abc', 'xa.cx'),
  text('isAlpha', v.IsAlpha(), { pattern: '^[A-Za-z]+$' }, 'aB', 'a1'),
  {
    ...text(
      'isAlpha',
      v.IsAlpha('de-DE'),
      { description: 'must contain only letters (a-zA-Z)' },
      'ä',
      '1',
    ),
    isLoose: true,
  },
  text('isAlphanumeric', v.IsAlphanumeric(), { pattern: '^[0-9A-Za-z]+$' }, 'a1', 'a-1'),
  text('isHexadecimal', v.IsHexadecimal(), { pattern: '^(0[xXhH])?[0-9A-Fa-f]+$' }, '0xFf', 'xyz'),
  text(
    'isMongoId',
    v.IsMongoId(),
    { minLength: 24, maxLength: 24, description: 'must be a mongodb id' },
    '507f1f77bcf86cd799439011',
    '507f',
  ),
  text('isBooleanString', v.IsBooleanString(), { enum: ['true', 'false', '1', '0'] }, '1', 'yes'),
  text('isEmail', v.IsEmail(), { format: 'email' }, 'a@b.co', 'a@b'),
  {
    ...text(
      'isEmail',
      v.IsEmail({ allow_display_name: true }),
      { description: 'must be an email' },
      'Ann <a@b.co>',
      'a@b',
    ),
    isLoose: true,
  },
  text('isUuid', v.IsUUID(), { format: 'uuid' }, '550e8400-e29b-41d4-a716-446655440000', 'a'),
  text(
    'isUuid',
    v.IsUUID('4'),
    { format: 'uuid', description: 'must be a UUID of version 4' },
    '550e8400-e29b-41d4-a716-446655440000',
    'a',
  ),
  {
    ...text('isUrl', v.IsUrl(), { description: 'must be a URL address' }, 'example.com', 'no url'),
    isLoose: true,
  },
  text(
    'isUrl',
    v.IsUrl({ require_protocol: true }),
    { format: 'uri', description: 'must be a URL address' },
    'https://example.com',
    'example.com',
  ),
  text('isIp', v.IsIP('4'), { format: 'ipv4' }, '127.0.0.1', '::1'),
  words('isIp', v.IsIP('6'), 'must be an IP address of version 6', 'fe80::1%eth0', '127.0.0.1'),
  words('isIp', v.IsIP(), 'must be an IP address', '::1', '1.2'),
  text('isRFC3339', v.IsRFC3339(), { format: 'date-time' }, '2024-01-31T10:00:00Z', '2024-01-31'),
  words('isDateString', v.IsDateString(), 'must be an ISO 8601 date', '2024-01-31', 'soon'),
  words(
    'isIso8601',
    v.IsISO8601({ strict: true }),
    'must be an ISO 8601 date',
    '2024-01-31',
    '2024-02-31',
  ),
  words(
    'isStrongPassword',
    v.IsStrongPassword({ minLength: 10 }),
    'must be a strong password: at least 10 characters, of them 1 lower case, 1 upper case, 1 digits and 1 symbols',
    'Abcdefgh1!',
    'abc',
  ),
  words(
    'isIdentityCard',
    v.IsIdentityCard('ES'),
    'must be an identity card number of ES',
    '99999999R',
    '1',
  ),
  words(
    'isPassportNumber',
    v.IsPassportNumber('DE'),
    'must be a passport number of DE',
    'C01X00T47',
    '1',
  ),
  words(
    'isMobilePhone',
    v.IsMobilePhone('de-CH'),
    'must be a mobile phone number of de-CH',
    '+41791234567',
    '1',
  ),
  words('isPostalCode', v.IsPostalCode('CH'), 'must be a postal code of CH', '3000', 'x'),
  words(
    'isPhoneNumber',
    v.IsPhoneNumber(),
    'must be a phone number in international form, such as +41446681800',
    '+41446681800',
    '0446681800',
  ),
  words('isPhoneNumber', v.IsPhoneNumber('CH'), 'must be a phone number of CH', '0446681800', '1'),
  words('isAscii', v.IsAscii(), 'must contain only ASCII characters', 'a', 'ä'),
  words('isBIC', v.IsBIC(), 'must be a BIC or SWIFT code', 'DEUTDEFF', 'x'),
  words('isBase32', v.IsBase32(), 'must be base32 encoded', 'ME======', 'x'),
  words('isBase58', v.IsBase58(), 'must be base58 encoded', '2NEpo7TZ', '0'),
  words('isBase64', v.IsBase64(), 'must be base64 encoded', 'YQ==', 'a'),
  words(
    'isBtcAddress',
    v.IsBtcAddress(),
    'must be a BTC address',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    'x',
  ),
  words('isCreditCard', v.IsCreditCard(), 'must be a credit card', '4111111111111111', '1'),
  words('isCurrency', v.IsCurrency(), 'must be a currency', '$10.50', 'x'),
  words(
    'isDataURI',
    v.IsDataURI(),
    'must be a data uri format',
    'data:text/plain;base64,YQ==',
    'x',
  ),
  words('isDecimal', v.IsDecimal(), 'must be a decimal number', '1.5', 'x'),
  words('isEAN', v.IsEAN(), 'must be an EAN (European Article Number)', '9780306406157', '1'),
  words(
    'isEthereumAddress',
    v.IsEthereumAddress(),
    'must be an Ethereum address',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    'x',
  ),
  words('isFqdn', v.IsFQDN(), 'must be a valid domain name', 'example.com', 'x'),
  words(
    'IsFirebasePushId',
    v.IsFirebasePushId(),
    'must be a Firebase Push Id',
    '-JhLeOlGIEjaIOFHR0xd',
    'x',
  ),
  words('isFullWidth', v.IsFullWidth(), 'must contain a full-width characters', 'ａ', 'a'),
  words('isHSL', v.IsHSL(), 'must be a HSL color', 'hsl(360, 100%, 50%)', 'x'),
  words('isHalfWidth', v.IsHalfWidth(), 'must contain a half-width characters', 'a', 'ａ'),
  words(
    'isHash',
    v.IsHash('md5'),
    'must be a hash of type md5',
    'd94f3f016ae679c3008de268209132f2',
    'x',
  ),
  words('isHexColor', v.IsHexColor(), 'must be a hexadecimal color', '#ff0000', 'x'),
  words('isIBAN', v.IsIBAN(), 'must be an IBAN', 'CH5604835012345678009', 'x'),
  words(
    'isISO31661Alpha2',
    v.IsISO31661Alpha2(),
    'must be a valid ISO31661 Alpha2 code',
    'CH',
    'xx',
  ),
  words(
    'isISO31661Alpha3',
    v.IsISO31661Alpha3(),
    'must be a valid ISO31661 Alpha3 code',
    'CHE',
    'xxx',
  ),
  words(
    'isISO31661Numeric',
    v.IsISO31661Numeric(),
    'must be a valid ISO 3166-1 numeric country code',
    '756',
    '000',
  ),
  words(
    'isISO4217CurrencyCode',
    v.IsISO4217CurrencyCode(),
    'must be a valid ISO4217 currency code',
    'CHF',
    'xxx1',
  ),
  words('isISO6391', v.IsISO6391(), 'must be a valid ISO 639-1 language code', 'de', 'xx'),
  words('isISRC', v.IsISRC(), 'must be an ISRC', 'USAT29900609', 'x'),
  words('isISSN', v.IsISSN(), 'must be a ISSN', '0378-5955', 'x'),
  words('isIsbn', v.IsISBN(), 'must be an ISBN', '9783836221191', 'x'),
  words('isIsin', v.IsISIN(), 'must be an ISIN (stock/security identifier)', 'AU0000XVGZA3', 'x'),
  words('isJson', v.IsJSON(), 'must be a json string', '{}', '{'),
  words(
    'isJwt',
    v.IsJWT(),
    'must be a jwt string',
    'eyJhbGciOiJIUzI1NiJ9.e30.ZRrHA1JJJW8opsbCGfG_HACGpVUMN_a9IV7pAx_Zmeo',
    'x',
  ),
  words('isLocale', v.IsLocale(), 'must be locale', 'de-CH', '1'),
  words('isLowercase', v.IsLowercase(), 'must be a lowercase string', 'a', 'A'),
  words('isMacAddress', v.IsMACAddress(), 'must be a MAC Address', '01:02:03:04:05:ab', 'x'),
  words(
    'isMagnetURI',
    v.IsMagnetURI(),
    'must be magnet uri format',
    'magnet:?xt=urn:btih:06E2A9683BF4DA92C73A661AC56F0ECC9C63C5B4',
    'x',
  ),
  words(
    'isMilitaryTime',
    v.IsMilitaryTime(),
    'must be a valid representation of military time in the format HH:MM',
    '23:59',
    '24:00',
  ),
  words('isMimeType', v.IsMimeType(), 'must be MIME type format', 'text/plain', 'x'),
  words('isMultibyte', v.IsMultibyte(), 'must contain one or more multibyte chars', 'ä', 'a'),
  words('isNumberString', v.IsNumberString(), 'must be a number string', '1.5', 'x'),
  words('isOctal', v.IsOctal(), 'must be valid octal number', '076', '9'),
  words('isPort', v.IsPort(), 'must be a port', '80', '99999'),
  words('isRgbColor', v.IsRgbColor(), 'must be RGB color', 'rgb(0,0,0)', 'x'),
  words('isSemVer', v.IsSemVer(), 'must be a Semantic Versioning Specification', '1.2.3', '1'),
  words(
    'isSurrogatePair',
    v.IsSurrogatePair(),
    'must contain any surrogate pairs chars',
    '😀',
    'a',
  ),
  words('isTaxId', v.IsTaxId('en-US'), 'must be a Tax Identification Number', '01-1234567', 'x'),
  words('isTimeZone', v.IsTimeZone(), 'must be a valid IANA time-zone', 'Europe/Zurich', 'x'),
  words('isUppercase', v.IsUppercase(), 'must be uppercase', 'A', 'a'),
  words(
    'isVariableWidth',
    v.IsVariableWidth(),
    'must contain a full-width and half-width characters',
    'ａa',
    'a',
  ),
];

export const RULE_ROWS = [...COMMON, ...TYPES, ...NUMBERS, ...ARRAYS, ...STRINGS];
