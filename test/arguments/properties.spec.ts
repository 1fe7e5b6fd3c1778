import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inspect, isDeepStrictEqual } from 'node:util';
import { ArgumentsReader } from '../../libs/agent-tools/src/arguments/arguments.reader.js';
import { MANGLINGS } from '../support/manglings.js';
import { typedValue } from './typed-value.arbitrary.js';

const RUNS = Number(process.env.FUZZ_RUNS ?? 1);

describe('a value that its schema takes', () => {
  it('comes out of the pipeline as it went in', () => {
    fc.assert(
      fc.property(typedValue(), ({ schema, value }) => {
        const reader = new ArgumentsReader(['t'], schema);
        expect(reader.read(JSON.stringify(value))).toEqual({
          input: value,
          repairs: [],
          isJson: true,
          mayBeInexact: expect.any(Boolean),
        });
      }),
      { numRuns: 2_000 * RUNS },
    );
  });

  it.each(Object.entries(MANGLINGS))('survives: %s', (_, mangle) => {
    let applied = 0;
    fc.assert(
      fc.property(typedValue(), fc.integer({ min: 0 }), ({ schema, value }, seed) => {
        const text = mangle(value, schema, seed);
        if (text === undefined) return;
        applied++;
        const parsed = new ArgumentsReader(['t'], schema).read(text);
        // Names are random, and an outer object may know the last keys of an inner one.
        if ('problem' in parsed && parsed.problem.includes('could be in two places')) return;
        if ('problem' in parsed) throw new Error(`${parsed.problem}\nof ${text}`);
        if (!isDeepStrictEqual(parsed.input, value)) {
          throw new Error(inspect({ text, got: parsed.input, meant: value }, { depth: 9 }));
        }
      }),
      { numRuns: 1_000 * RUNS },
    );
    expect(applied).toBeGreaterThan(200 * RUNS);
  });
});

describe('any text', () => {
  const PIECES = [
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ':',
    "'",
    '`',
    '\\',
    '/',
    '#',
    '\n',
    ' ',
    'true',
    'None',
    '"a"',
    "'a'",
    '1',
    '-2.5e3',
    '9007199254740993',
    '__proto__',
    '"n"',
    '\\"',
    '//',
    '/*',
    '*/',
    '```json\n',
    '\n```',
    '<think>',
    '</think>',
    '<tool_call>',
    '“',
    '”',
    '\\u005f',
    '}}',
    '"list"',
    '"args"',
    '{"n":',
    '"list":[',
  ];
  const text = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((all) => all.join('')),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 3 }).chain(damaged) },
  );
  const reader = new ArgumentsReader(['t'], {
    type: 'object',
    properties: {
      n: { type: 'number' },
      a: { anyOf: [{ type: 'boolean' }, { $ref: '#' }] },
      list: { type: 'array', items: { type: 'string' } },
    },
  });

  it('neither throws, nor reaches a prototype, nor becomes an empty object that was not there', () => {
    const before = Object.getOwnPropertyNames(Object.prototype).length;
    fc.assert(
      fc.property(text, (raw) => {
        const parsed = reader.read(raw);
        if ('problem' in parsed) return;
        expect(Object.getPrototypeOf(parsed.input)).toBe(Object.prototype);
        const isEmpty = Object.keys(parsed.input).length === 0;
        const mayBeEmpty = raw.trim() === '' || raw.trim() === 'null' || raw.includes('{');
        expect(isEmpty && !mayBeEmpty).toBe(false);
      }),
      { numRuns: 100_000 * RUNS },
    );
    expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(before);
  });

  it('that repairs to something has all its values from the text', () => {
    let repaired = 0;
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }).chain(damaged), (raw) => {
        const parsed = reader.read(raw);
        if ('problem' in parsed || parsed.isJson) return;
        repaired++;
        expect(leavesOf(parsed.input).filter((leaf) => !isFrom(leaf, raw))).toEqual([]);
      }),
      { numRuns: 5_000 * RUNS },
    );
    expect(repaired).toBeGreaterThan(0);
  });
});

/** A text with a piece cut out, doubled or put in. */
function damaged(json: string): fc.Arbitrary<string> {
  const at = fc.integer({ min: 0, max: json.length });
  return fc
    .tuple(at, at, fc.constantFrom('', '', ',', '"', "'", '}', ']', '{', '\\', ' ', '`'))
    .map(
      ([from, to, piece]) =>
        json.slice(0, Math.min(from, to)) + piece + json.slice(Math.max(from, to)),
    );
}

function isFrom(leaf: unknown, raw: string): boolean {
  if (typeof leaf === 'number') return /\d/.test(raw);
  if (typeof leaf !== 'string' || raw.includes(JSON.stringify(leaf).slice(1, -1).slice(0, 3))) {
    return true;
  }
  // An escape that JSON does not know, such as \', stands for the character itself.
  return raw.replaceAll('\\', '').includes(leaf.replaceAll('\\', '').slice(0, 3));
}

function leavesOf(value: unknown): unknown[] {
  if (value === null || typeof value !== 'object') return [value];
  return Object.values(value).flatMap(leavesOf);
}
