interface Format {
  /** A text of the format. @param index tells texts apart, from 0. @param fill makes it longer. */
  readonly make: (index: number, fill: string) => string;
  /** @default anything fits, as far as is known here */
  readonly test?: RegExp;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^\d{4}-\d\d-\d\d[tT ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[zZ]|[+-]\d\d:?\d\d)?$/;
const TIME = /^\d\d:\d\d:\d\d(?:\.\d+)?(?:[zZ]|[+-]\d\d:?\d\d)?$/;
const DURATION =
  /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/;
const EMAIL = /^[\w.+'-]+@[\w-]+(?:\.[\w-]+)+$/;
const URI = /^[a-z][a-z\d+.-]*:\S+$/i;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const HOSTNAME = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['date', { make: (index) => day(index), test: DATE }],
  [
    'date-time',
    { make: (index, fill) => `${day(index)}T12:00:00${fraction(fill)}Z`, test: DATE_TIME },
  ],
  ['iso-date-time', { make: (index) => `${day(index)}T12:00:00Z`, test: DATE_TIME }],
  ['time', { make: (index, fill) => `${clock(index)}${fraction(fill)}Z`, test: TIME }],
  ['iso-time', { make: (index) => `${clock(index)}Z`, test: TIME }],
  ['duration', { make: (index) => `P${index + 1}D`, test: DURATION }],
  ['email', { make: (index, fill) => `user${tag(index)}${fill}@example.com`, test: EMAIL }],
  ['idn-email', { make: (index, fill) => `user${tag(index)}${fill}@example.com` }],
  ['uri', { make: (index, fill) => `https://example.com/${tag(index)}${fill}`, test: URI }],
  ['url', { make: (index, fill) => `https://example.com/${tag(index)}${fill}`, test: URI }],
  ['iri', { make: (index, fill) => `https://example.com/${tag(index)}${fill}` }],
  ['uri-reference', { make: (index, fill) => `/page${tag(index)}${fill}` }],
  ['iri-reference', { make: (index, fill) => `/page${tag(index)}${fill}` }],
  ['uri-template', { make: (index, fill) => `/page${tag(index)}${fill}/{id}` }],
  ['uuid', { make: (index) => `3f2504e0-4f89-41d3-9a0c-${hex(index, 12)}`, test: UUID }],
  ['guid', { make: (index) => `3f2504e0-4f89-41d3-9a0c-${hex(index, 12)}`, test: UUID }],
  ['ipv4', { make: (index) => `192.0.2.${(index % 254) + 1}`, test: IPV4 }],
  ['ipv6', { make: (index) => `2001:db8::${(index + 1).toString(16)}` }],
  ['cidrv4', { make: (index) => `192.0.${index % 256}.0/24` }],
  ['cidrv6', { make: (index) => `2001:db8:${index.toString(16)}::/48` }],
  ['hostname', { make: (index, fill) => hostname(index, fill), test: HOSTNAME }],
  ['idn-hostname', { make: (index, fill) => hostname(index, fill) }],
  ['json-pointer', { make: (index, fill) => `/a${index}${fill}` }],
  ['relative-json-pointer', { make: (index) => `${index}/a` }],
  ['regex', { make: (index, fill) => `a${tag(index)}${fill}` }],
  ['byte', { make: (index) => Buffer.from(`text${hex(index, 5)}`).toString('base64') }],
  ['base64', { make: (index) => Buffer.from(`text${hex(index, 5)}`).toString('base64') }],
  ['base64url', { make: (index) => Buffer.from(`text${hex(index, 5)}`).toString('base64url') }],
  ['e164', { make: (index) => `+4930${String(index).padStart(6, '0')}` }],
  [
    'jwt',
    { make: (index) => `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: index })}.c2ln` },
  ],
]);

/** Texts of a format that are at least `length` long, if it has such. */
export function* formatSamples(format: string, length: number): Generator<string> {
  const make = FORMATS.get(format)?.make;
  if (!make) return;
  for (let index = 0; index < 100; index++) {
    const missing = length - make(index, '').length;
    yield make(index, missing > 0 ? 'x'.repeat(missing) : '');
  }
}

/** A rough check: whether a text that was not made for the format has it. */
export function formatFits(format: string, text: string): boolean {
  return FORMATS.get(format)?.test?.test(text) ?? true;
}

function day(index: number): string {
  return new Date(Date.UTC(2030, 0, 1 + index)).toISOString().slice(0, 10);
}

function clock(index: number): string {
  return `12:${String(index % 60).padStart(2, '0')}:00`;
}

function fraction(fill: string): string {
  return fill && `.${fill.replaceAll('x', '0')}`;
}

/** The first text needs no number. */
function tag(index: number): string {
  return index > 0 ? String(index + 1) : '';
}

function hex(index: number, length: number): string {
  return (index + 1).toString(16).padStart(length, '0');
}

/** A label of a host name has 63 characters at most. */
function hostname(index: number, fill: string): string {
  const labels = fill.match(/.{1,60}/g) ?? [];
  return [...labels, `host${tag(index)}`, 'example', 'com'].join('.');
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
