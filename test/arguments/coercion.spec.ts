import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from 'nestjs-agent-tools';
import { ArgumentsReader } from '../../libs/agent-tools/src/arguments/arguments.reader.js';

/** Reads `{ "v": … }` for a schema of `v`. */
function read(schema: JsonSchema, text: string, required: readonly string[] = ['v']) {
  const { $defs, ...v } = schema;
  const reader = new ArgumentsReader(['t'], {
    type: 'object',
    properties: { v },
    required,
    ...($defs && { $defs }),
  });
  const parsed = reader.read(text);
  return 'problem' in parsed
    ? { problem: parsed.problem }
    : { v: parsed.input.v, has: 'v' in parsed.input, repairs: parsed.repairs };
}

const STRING = { type: 'string' };
const NUMBER = { type: 'number' };
const INTEGER = { type: 'integer' };
const BOOLEAN = { type: 'boolean' };
const list = (items: JsonSchema) => ({ type: 'array', items });
const object = (properties: Record<string, JsonSchema>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const COLOR = { type: 'string', enum: ['red', 'Blue', 'IDLE'] };

describe('is read as the schema wants it:', () => {
  it.each<[string, JsonSchema, string, unknown, string]>([
    ['numeric text', NUMBER, '"5.5"', 5.5, 'v: read as a number'],
    ['numeric text with blanks', NUMBER, '" -3e2 "', -300, 'v: read as a number'],
    ['numeric text for an integer', INTEGER, '"42"', 42, 'v: read as an integer'],
    ['5.0 in text for an integer', INTEGER, '"5.0"', 5, 'v: read as an integer'],
    ['true in any case', BOOLEAN, '"True"', true, 'v: read as a boolean'],
    ['false in any case', BOOLEAN, '"FALSE"', false, 'v: read as a boolean'],
    ['null in text', { type: ['integer', 'null'] }, '"null"', null, 'v: read as null'],
    ['JSON text of a list', list(NUMBER), '"[1, 2]"', [1, 2], 'v: read as an array'],
    [
      'JSON text of an object',
      object({ a: NUMBER }),
      '"{\\"a\\": 1}"',
      { a: 1 },
      'v: read as an object',
    ],
    ['text in JSON text', list(NUMBER), '"[\\"1\\"]"', [1], 'v.0: read as a number'],
    ['one number for a list', list(NUMBER), '7', [7], 'v: read as a list of one'],
    ['one text for a list', list(STRING), '"a b"', ['a b'], 'v: read as a list of one'],
    ['numeric text for a list', list(INTEGER), '"7"', [7], 'v: read as a list of one'],
    ['a value in another case', COLOR, '"RED"', 'red', 'v: read as one of the allowed values'],
    ['a value without a locale', COLOR, '"idle"', 'IDLE', 'v: read as one of the allowed values'],
    ['a number of values', { enum: [1, 2] }, '"2"', 2, 'v: read as a number'],
    [
      'midnight of a date',
      { ...STRING, format: 'date' },
      '"2024-05-01T00:00:00Z"',
      '2024-05-01',
      'v: read as a date',
    ],
    ['in an object', object({ a: NUMBER }), '{"a": "1"}', { a: 1 }, 'v.a: read as a number'],
    [
      'in a list of objects',
      list(object({ a: NUMBER })),
      '[{"a": 1}, {"a": "2"}]',
      [{ a: 1 }, { a: 2 }],
      'v.1.a: read as a number',
    ],
    [
      'of properties without a name',
      { type: 'object', additionalProperties: NUMBER },
      '{"x": "1"}',
      { x: 1 },
      'v.x: read as a number',
    ],
    [
      'behind a reference',
      { $ref: '#/$defs/N', $defs: { N: NUMBER } },
      '"1"',
      1,
      'v: read as a number',
    ],
    [
      'in all of several',
      { allOf: [object({ a: NUMBER }), object({ b: BOOLEAN })] },
      '{"a": "1", "b": "true"}',
      { a: 1, b: true },
      'v.a: read as a number',
    ],
    [
      'in the one branch that can',
      { anyOf: [INTEGER, BOOLEAN] },
      '"7"',
      7,
      'v: read as an integer',
    ],
    [
      'in the one branch of objects',
      {
        oneOf: [
          object({ t: { const: 'a' }, n: NUMBER }, ['t']),
          object({ t: { const: 'b' }, n: BOOLEAN }, ['t']),
        ],
      },
      '{"t": "a", "n": "1"}',
      { t: 'a', n: 1 },
      'v.n: read as a number',
    ],
    [
      'a long integer for text',
      STRING,
      '12345678901234567890',
      '12345678901234567890',
      'v: read as text',
    ],
    [
      'long integers for a list of text',
      list(STRING),
      '[9007199254740993]',
      ['9007199254740993'],
      'v.0: read as text',
    ],
    [
      'a long integer for text or null',
      { anyOf: [STRING, { type: 'null' }] },
      '9007199254740993',
      '9007199254740993',
      'v: read as text',
    ],
    [
      'a long integer for text or number',
      { type: ['string', 'number'] },
      '9007199254740993',
      '9007199254740993',
      'v: read as text',
    ],
  ])('%s', (_, schema, json, expected, repair) => {
    const { v, repairs } = read(schema, `{"v": ${json}}`);
    expect(v).toEqual(expected);
    expect(repairs).toContain(repair);
  });
});

describe('stays as it is, for the validation to decide:', () => {
  it.each<[string, JsonSchema, string]>([
    ['text that is no number', NUMBER, '"abc"'],
    ['empty text', NUMBER, '""'],
    ['a hexadecimal number', NUMBER, '"0x1F"'],
    ['a number with leading zeros', NUMBER, '"007"'],
    ['a number with a comma', NUMBER, '"1,5"'],
    ['a plus sign', NUMBER, '"+5"'],
    ['an infinite number', NUMBER, '"1e999"'],
    ['Infinity', NUMBER, '"Infinity"'],
    ['text of a number that would be rounded', INTEGER, '"9007199254740993"'],
    ['text of a fraction that would be rounded', INTEGER, '"9007199254740993.0"'],
    ['a fraction for an integer', INTEGER, '1.5'],
    ['text of a fraction for an integer', INTEGER, '"1.5"'],
    ['yes', BOOLEAN, '"yes"'],
    ['one for a boolean', BOOLEAN, '1'],
    ['a boolean for a number', NUMBER, 'true'],
    ['a number for text', STRING, '7890'],
    ['a boolean for text', STRING, 'true'],
    ['text of null for text', { type: ['string', 'null'] }, '"null"'],
    ['a list written out', list(STRING), '"red, blue"'],
    ['a list that is not JSON', list(STRING), '"[red, blue]"'],
    ['an object for a list', list(object({})), '{"a": 1}'],
    ['a list for one value', NUMBER, '[5]'],
    ['text for a list of numbers', list(NUMBER), '"many"'],
    ['a value that two others could be', { enum: ['Up', 'UP'] }, '"up"'],
    ['a value with blanks', COLOR, '" red"'],
    ['a dotless i', COLOR, '"ıdle"'],
    ['a time that is not midnight', { ...STRING, format: 'date' }, '"2024-05-01T10:00:00Z"'],
    ['midnight somewhere', { ...STRING, format: 'date' }, '"2024-05-01T00:00:00+02:00"'],
    ['what one branch takes as it is', { anyOf: [NUMBER, STRING] }, '"5"'],
    ['what two branches could read', { anyOf: [INTEGER, list(INTEGER)] }, '"5"'],
    ['what no branch can read', { anyOf: [NUMBER, BOOLEAN] }, '"maybe"'],
    ['null for what is required', STRING, 'null'],
    ['a list for a list of lists', list(list(NUMBER)), '[1, 2]'],
    ['one value for a list of lists', list(list(NUMBER)), '5'],
    ['blank text for a list', list(STRING), '" "'],
    ['no text for a list', list(STRING), '""'],
    ['text of null for a list', list(STRING), '"null"'],
    ['a list with pipes', list(STRING), '"a | b"'],
    ['a list in words', list(STRING), '"a and b"'],
    ['what could be one or a list of one', { type: ['integer', 'array'], items: INTEGER }, '"5"'],
    ['what could be a value or another', { enum: [true, 'TRUE'] }, '"true"'],
    [
      'the first of several items',
      { type: 'array', prefixItems: [STRING], items: NUMBER },
      '["5", 6]',
    ],
    ['the sign of Kelvin', { enum: ['k'] }, '"\u212a"'],
    ['midnight of no day', { ...STRING, format: 'date' }, '"2024-02-30T00:00:00Z"'],
    ['null where null is allowed', { type: ['string', 'null'] }, 'null'],
    ['anything where anything is allowed', {}, '"5"'],
  ])('%s', (_, schema, json) => {
    const { v, repairs } = read(schema, `{"v": ${json}}`);
    expect(v).toEqual(JSON.parse(json));
    expect(repairs).toEqual([]);
  });
});

describe('a number with more digits than can be kept', () => {
  it.each<[JsonSchema, string]>([
    [NUMBER, '9007199254740993'],
    [INTEGER, '-12345678901234567890'],
    [NUMBER, '1e999'],
    [NUMBER, '1e-400'],
    [INTEGER, '9007199254740993.0'],
    [INTEGER, '9.007199254740993e15'],
    [NUMBER, '4503599627370497.5'],
    [NUMBER, '0.99999999999999999'],
    [{}, '9007199254740993'],
    [list(NUMBER), '[1, 9007199254740993]'],
    [object({ a: INTEGER }), '{"a": 9007199254740993}'],
  ])('is refused for %j', (schema, json) => {
    const { problem } = read(schema, `{"v": ${json}}`);
    expect(problem).toContain('has more digits than can be kept');
    expect(problem).toMatch(/^v/);
  });

  it('is taken if nothing of it is lost', () => {
    expect(read(NUMBER, '{"v": 12345678901234567000}').problem).toContain('more digits');
    expect(read(NUMBER, '{"v": 9007199254740992}').v).toBe(9007199254740992);
    expect(read(NUMBER, '{"v": 0.1234567890123456}').v).toBe(0.1234567890123456);
    expect(read(NUMBER, '{"v": 1e300}').v).toBe(1e300);
  });
});

describe('a field that may be left out', () => {
  it.each<[string, JsonSchema, string]>([
    ['null', STRING, 'null'],
    ['null for a list', list(STRING), 'null'],
    ['empty text for a number', NUMBER, '""'],
    ['empty text for a value', COLOR, '""'],
    ['empty text that is too short', { ...STRING, minLength: 1 }, '""'],
    ['empty text with a format', { ...STRING, format: 'email' }, '""'],
    ['empty text with a pattern', { ...STRING, pattern: '^\\d+$' }, '""'],
    ['empty text for no branch', { anyOf: [NUMBER, { const: 'all' }] }, '""'],
  ])('is left out for %s', (_, schema, json) => {
    expect(read(schema, `{"v": ${json}}`, [])).toMatchObject({
      has: false,
      repairs: ['v: taken as left out'],
    });
  });

  it.each<[string, JsonSchema, string]>([
    ['null where it is allowed', { type: ['string', 'null'] }, 'null'],
    ['null in a list of values', { enum: ['a', null] }, 'null'],
    ['null in a branch', { anyOf: [STRING, { type: 'null' }] }, 'null'],
    ['empty text where it is allowed', STRING, '""'],
    ['empty text with an open pattern', { ...STRING, pattern: '^\\d*$' }, '""'],
  ])('stays for %s', (_, schema, json) => {
    expect(read(schema, `{"v": ${json}}`, [])).toMatchObject({ has: true, repairs: [] });
  });

  it('is left out inside of objects and lists, too', () => {
    const schema = list(object({ a: NUMBER, b: STRING }, ['b']));
    expect(read(schema, '{"v": [{"a": null, "b": "x"}, {"a": 1, "b": null}]}').v).toEqual([
      { b: 'x' },
      { a: 1, b: null },
    ]);
  });
});

describe('a schema that contains itself', () => {
  const TREE: JsonSchema = {
    $ref: '#/$defs/Tree',
    $defs: { Tree: object({ n: NUMBER, children: list({ $ref: '#/$defs/Tree' }) }) },
  };

  it('is followed', () => {
    expect(read(TREE, '{"v": {"n": "1", "children": [{"n": "2"}]}}').v).toEqual({
      n: 1,
      children: [{ n: 2 }],
    });
  });

  it('does not run out of the stack', () => {
    const depth = 50_000;
    const deep = '{"children":['.repeat(depth) + ']}'.repeat(depth);
    expect(read(TREE, `{"v": ${deep}}`).problem).toContain('nested too deeply');
  });
});

it('reports no null that strict mode asked for', () => {
  const schema = { type: 'object', properties: { a: STRING, b: NUMBER } } as const;
  const read = (isStrict: boolean) =>
    new ArgumentsReader(['t'], schema, isStrict).read('{"a": null, "b": ""}');
  expect(read(true)).toMatchObject({ input: {}, repairs: ['b: taken as left out'] });
  expect(read(false)).toMatchObject({ repairs: ['a: taken as left out', 'b: taken as left out'] });
});

it('never changes the object that a caller gives', () => {
  const raw = Object.freeze({ v: Object.freeze(['1']) });
  const reader = new ArgumentsReader(['t'], { type: 'object', properties: { v: list(NUMBER) } });
  expect(reader.read(raw)).toMatchObject({ input: { v: [1] } });
  expect(raw.v).toEqual(['1']);
});

it('lists at most 20 repairs, and no value', () => {
  const reader = new ArgumentsReader(['t'], { type: 'object', properties: { v: list(NUMBER) } });
  const parsed = reader.read(JSON.stringify({ v: Array.from({ length: 100 }, () => '4711') }));
  const { repairs } = parsed as unknown as { repairs: string[] };
  expect(repairs).toHaveLength(20);
  expect(repairs.join()).not.toContain('4711');
});
