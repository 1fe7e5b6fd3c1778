import { describe, expect, it } from '@jest/globals';
import { inOneLine, printValue } from '../../libs/agent-tools/src/middleware/value.printer.js';

const LENGTH = 100;
const print = (value: unknown, length = LENGTH) => printValue(value, length);

describe('when a value is printed for the log', () => {
  it.each<[unknown, string]>([
    [{ a: 1, b: [true, null] }, '{"a":1,"b":[true,null]}'],
    ['a "text"', '"a \\"text\\""'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Number.NaN, 'NaN'],
    [10n, '10'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [new Date(Number.NaN), '"Invalid Date"'],
    [new Map([['a', 1]]), '{"a":1}'],
    [new Map([[{ a: 1 }, 2]]), '{"[object]":2}'],
    [new Set([1, 2]), '[1,2]'],
    [new Error('down'), '"down"'],
    [Symbol('s'), '"[symbol]"'],
    [() => 1, '"[function]"'],
    [Buffer.alloc(1_000), '"[1000 bytes]"'],
    [{ toJSON: () => ({ a: 1 }) }, '{"a":1}'],
    [Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
  ])('%p is %s', (value, text) => {
    expect(print(value)).toBe(text);
  });

  it('fits, whatever it holds', () => {
    for (const value of ['x'.repeat(1_000), Array(1_000).fill('x'), manyFields()]) {
      expect(print(value).length).toBe(LENGTH + 1);
      expect(print(value).endsWith('…')).toBe(true);
    }
  });

  it('is cut between code points', () => {
    for (const length of [50, 51])
      expect(print('😀'.repeat(200), length).isWellFormed()).toBe(true);
  });
});

describe('when a value is hostile', () => {
  const throws = (): never => {
    throw new Error('not now');
  };

  it('prints the other fields beside a getter that throws', () => {
    const value = { a: 1, b: 2 };
    Object.defineProperty(value, 'a', { get: throws });
    expect(print(value)).toBe('{"a":"[unreadable]","b":2}');
  });

  it.each<[string, unknown]>([
    ['a toJSON() that throws', { toJSON: throws }],
    ['a proxy without keys', new Proxy({}, { ownKeys: throws })],
    ['a proxy without a prototype', new Proxy({}, { getPrototypeOf: throws })],
    ['an iterator that throws', Object.assign([1], { [Symbol.iterator]: throws })],
    ['a revoked proxy', revoked()],
  ])('says that %s cannot be read', (_what, value) => {
    expect(print({ value })).toContain('[unreadable]');
  });

  it('ends at a cycle', () => {
    const value: Record<string, unknown> = { a: 1 };
    value.self = value;
    const map = new Map<string, unknown>();
    map.set('self', map);
    const endless = { toJSON: (): unknown => endless };
    for (const cycle of [value, map, endless]) expect(print(cycle, 1_000)).toContain('…');
  });

  it('ends at a great depth', () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) value = [value];
    expect(print(value, 10_000)).toBe('[[[[[[["…"]]]]]]]');
  });

  it('reads no more than it prints', () => {
    let read = 0;
    const items = {
      *[Symbol.iterator]() {
        for (;;) yield read++;
      },
    };
    const endless = Object.assign([0], { [Symbol.iterator]: () => items[Symbol.iterator]() });
    expect(print(endless)).toMatch(/^\[0,1,2,/);
    expect(read).toBeLessThan(LENGTH);

    const fields: Record<string, unknown> = {};
    let gets = 0;
    for (let index = 0; index < 10_000; index++) {
      Object.defineProperty(fields, `f${index}`, { enumerable: true, get: () => ++gets });
    }
    print(fields);
    expect(gets).toBeLessThan(LENGTH);
  });

  it('takes no time for what is huge', () => {
    const started = performance.now();
    for (const value of [
      'bearer '.repeat(1_000_000),
      10n ** 100_000n,
      Array.from({ length: 1_000_000 }, (_, index) => index),
      new Map(Array.from({ length: 100_000 }, (_, index) => [index, index])),
    ]) {
      print(value);
    }
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});

describe('when a value holds a secret', () => {
  it.each<[string, unknown]>([
    ['in a field', { password: 'hunter2' }],
    ['deep in fields', { a: [{ b: { clientSecret: 'hunter2' } }] }],
    ['in an object under such a name', { credentials: { user: 'hunter2' } }],
    ['in a map', new Map([['apiKey', 'hunter2']])],
    ['in what toJSON() gives', { toJSON: () => ({ otp: 'hunter2' }) }],
    ['in a text', 'password=hunter2'],
    ['in a URL', 'postgres://admin:hunter2@db/orders'],
    ['in JSON', '{"pin":"hunter2"}'],
    ['in JSON in JSON', JSON.stringify({ body: JSON.stringify({ password: 'hunter2' }) })],
    ['in JSON in a text', 'sent "{\\"password\\":\\"hunter2\\"}"'],
    ['in the name of a field', { 'password=hunter2': 1 }],
    ['in an error', new Error('token=hunter2')],
    ['behind a long text', `${'x'.repeat(1_980)} password=hunter2`],
  ])('%s, it does not show it', (_where, value) => {
    const text = print(value, 5_000);
    expect(text).not.toContain('hunter2');
    expect(text.length).toBeGreaterThan(0);
  });
});

describe('when a text has line breaks', () => {
  it('shows blanks in their place', () => {
    expect(inOneLine('a\nb\r\u2028c\u202ed\u001b[31m')).toBe('a b  c d [31m');
    expect(print('a\nb\u2028c')).toBe('"a\\nb c"');
  });
});

function manyFields(): object {
  return Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, index]));
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
