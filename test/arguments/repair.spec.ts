import { describe, expect, it } from '@jest/globals';
import { ArgumentsReader } from '../../libs/agent-tools/src/arguments/arguments.reader.js';
import { parseArguments } from '../../libs/agent-tools/src/arguments/parse-arguments.js';

const ROME = { city: 'Rome', days: 2 };

function inputOf(raw: unknown): unknown {
  const parsed = parseArguments(raw);
  return 'problem' in parsed ? undefined : parsed.input;
}

function problemOf(raw: unknown): string {
  const parsed = parseArguments(raw);
  return 'problem' in parsed ? parsed.problem : `none: ${JSON.stringify(parsed.input)}`;
}

describe('arguments', () => {
  it.each([
    ['undefined', undefined],
    ['null', null],
    ['blank text', ' \n '],
    ['empty text', ''],
    ['the text null', 'null'],
    ['an empty object', '{}'],
  ])('that are %s are none', (_, raw) => {
    expect(inputOf(raw)).toEqual({});
  });

  it('are copied if they come as an object', () => {
    const raw = { list: [1, { a: 2 }] };
    const input = inputOf(raw) as typeof raw;
    expect(input).toEqual(raw);
    expect(input.list).not.toBe(raw.list);
  });

  it.each([
    ['a list', '[1]'],
    ['a number', '5'],
    ['text', '"hello"'],
    ['empty text in quotes', '""'],
    ['a list as a value', [1]],
    ['a number as a value', 5],
  ])('are refused if they are %s', (_, raw) => {
    expect(problemOf(raw)).toContain('they must be a JSON object');
  });
});

describe('text that is not JSON is repaired:', () => {
  it.each([
    ['a code fence', '```json\n{"city":"Rome","days":2}\n```', 'dropped a code fence'],
    ['a bare fence', '```\n{"city":"Rome","days":2}\n```\n', 'dropped a code fence'],
    ['a fence without its end', '```json\n{"city":"Rome","days":2}', 'dropped a code fence'],
    [
      'prose around a fence',
      'Here you go:\n```json\n{"city":"Rome","days":2}\n```\nDone.',
      'dropped text around the object',
    ],
    [
      'prose around the object',
      'Sure, here\'s the call: {"city":"Rome","days":2} Let me know!',
      'dropped text around the object',
    ],
    ['a call', 'forecast({"city":"Rome","days":2});', 'dropped text around the object'],
    [
      'a thought',
      '<think>Is it {"city":"Paris"}? No.</think>{"city":"Rome","days":2}',
      'dropped a thought',
    ],
    ['tags', '<tool_call>\n{"city":"Rome","days":2}\n</tool_call>', 'dropped tags'],
    ['tags without an end', '<tool_call>{"city":"Rome","days":2}', 'dropped tags'],
    ['a trailing comma', '{"city":"Rome","days":2,}', 'dropped trailing commas'],
    ['single quotes', "{'city': 'Rome', 'days': 2}", 'replaced the quotes by double quotes'],
    ['typographic quotes', '{“city”: “Rome”, “days”: 2}', 'replaced the quotes by double quotes'],
    ['keys without quotes', '{city: "Rome", days: 2}', 'quoted the keys'],
    ['line comments', '{"city":"Rome", // the capital\n"days":2}', 'dropped comments'],
    ['block comments', '{"city":"Rome", /* the "capital" */ "days":2}', 'dropped comments'],
    ['comments of Python', '{"city":"Rome", # the capital\n"days":2}', 'dropped comments'],
    ['a missing comma', '{"city":"Rome"\n"days":2}', 'added missing commas'],
    ['a missing comma after a number', '{"days":2 "city":"Rome"}', 'added missing commas'],
    ['brackets too many', '{"city":"Rome","days":2}}', 'dropped brackets'],
    [
      'double encoding',
      '"{\\"city\\":\\"Rome\\",\\"days\\":2}"',
      'decoded text that was encoded twice',
    ],
    [
      'escapes without quotes',
      '{\\"city\\":\\"Rome\\",\\"days\\":2}',
      'decoded text that was encoded twice',
    ],
    ['quotes around it', '\'{"city":"Rome","days":2}\'', 'decoded text that was encoded twice'],
    [
      'double encoding of broken text',
      JSON.stringify("{'city': 'Rome', 'days': 2,}"),
      'decoded text that was encoded twice',
    ],
  ])('%s', (_, text, repair) => {
    const parsed = parseArguments(text);
    expect(parsed).toMatchObject({ input: ROME, isJson: false });
    expect((parsed as unknown as { repairs: string[] }).repairs).toContain(repair);
  });

  it.each<[string, string, unknown]>([
    ['literals of Python', "{'a': True, 'b': False, 'c': None}", { a: true, b: false, c: null }],
    ['missing brackets after text', '{"a":{"b":["x"', { a: { b: ['x'] } }],
    ['missing brackets after a bracket', '{"a":[{"b":1}', { a: [{ b: 1 }] }],
    ['a missing bracket before the last', '{"a":["x"}', { a: ['x'] }],
    ['an apostrophe in other quotes', `{'a': "it's", 'b': 'it\\'s'}`, { a: "it's", b: "it's" }],
    [
      'apostrophes in words',
      "{'a': 'it's O'Hara's', 'b': 'l’été'}",
      { a: "it's O'Hara's", b: 'l’été' },
    ],
    ['raw line breaks', '{"a": "one\ntwo"}', { a: 'one\ntwo' }],
    [
      'what looks like markup in text',
      "{'a': '// no # comment, ```'}",
      { a: '// no # comment, ```' },
    ],
    ['words of Python in text', "{'a': 'True, None'}", { a: 'True, None' }],
  ])('%s', (_, text, expected) => {
    expect(inputOf(text)).toEqual(expected);
  });
});

describe('text is refused, not guessed:', () => {
  it.each([
    ['no object', 'Rome, two days', 'there is no JSON object in it'],
    ['it ends inside text', '{"city":"Ro', 'the text ends inside a string'],
    ['it ends inside a key', '{"city":"Rome","da', 'the text ends inside a string'],
    ['it ends with a number', '{"city":"Rome","days":2', 'it is cut off'],
    ['it ends with a literal', '{"open":tru', 'neither quoted'],
    ['it ends with a whole literal', '{"open":true', 'it is cut off'],
    ['it ends with a comma', '{"city":"Rome",', 'it is cut off'],
    ['it ends with a colon', '{"city":', 'it is cut off'],
    ['it ends with an opening bracket', '{', 'it is cut off'],
    ['it ends with a key', '{"city"', 'do not fit together'],
    ['two objects', '{"a":1}{"a":2}', 'more than one JSON object'],
    ['two objects in prose', 'First {"a":1}, then {"a":2}', 'more than one JSON object'],
    ['a list of objects', '[{"a":1},]', 'more than one JSON object in it, or a part of one'],
    ['a part of an object', '"city": {"name": "Rome"}', 'or a part of one'],
    ['an object closed too early', '{"a":{"b":1}},"c":2}', 'or a part of one'],
    ['quotes inside text', '{"a": "say "hi" now"}', 'a quote inside it is not escaped'],
    ['a quote at the end of a word', "{'a': 'the boys' toys'}", 'a quote inside it is not escaped'],
    ['quotes inside of single ones', "{'a': ['I like 'x', 'y'', 'z']}", 'a quote inside'],
    ['text without quotes', '{"city": Rome}', 'neither quoted nor a number'],
    ['a backslash', '{"path": "C:\\data", }', 'a backslash in a string is not doubled'],
    ['NaN', '{"a": NaN}', 'neither quoted'],
    ['a hexadecimal number', '{"a": 0x1F}', 'neither quoted'],
    ['a date without quotes', '{"a": 2024-01-01}', 'neither quoted'],
    ['a missing comma in a list', '{"a": [1 2]}', 'do not fit together'],
    ['texts beside each other', '{"a": ["x" "y"]}', 'a comma is missing'],
    ['a lost value', '{"a": , "b": 2}', 'do not fit together'],
    ['two commas', '{"a": 1,, "b": 2}', 'do not fit together'],
    ['a missing bracket in the middle', '{"a": [1, "b": 3}', 'do not fit together'],
    ['the wrong bracket', '{"a": "x"]}', 'do not fit together'],
    ['a key twice', "{'a': 1, 'a': 2}", 'a key of it stands twice'],
    ['an ellipsis', '{"a": 1, ...}', 'neither quoted'],
    ['an open thought', '<think>{"a":1} or {"a":2}', 'more than one JSON object'],
  ])('%s', (_, text, doubt) => {
    const problem = problemOf(text);
    expect(problem).toContain(doubt);
    expect(problem).toContain(text.slice(0, 10));
  });

  it('anything, if the model was cut off', () => {
    expect(parseArguments('{"a":"x"', true)).toHaveProperty('problem');
    expect(parseArguments("{'a':'x'}", true)).toHaveProperty('problem');
    expect(parseArguments('{"a":"x"}', true)).toMatchObject({ input: { a: 'x' } });
  });

  it('text over 256 kB, which is not even looked at', () => {
    const long = `{'a': '${'x'.repeat(262_144)}'}`;
    expect(problemOf(long)).toContain('too long');
    expect(problemOf(long).length).toBeLessThan(400);
  });

  it('deep nesting, without running out of the stack', () => {
    const deep = `{'a': ${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(problemOf(deep)).toMatch(/nested too deeply|do not fit together/);
  });

  it('deep nesting of JSON with a long number, by its own name', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    expect(problemOf(`{"n": 12345678901234567, "a": ${deep}}`)).toBe('they are nested too deeply');
  });

  it('and quotes no credentials', () => {
    expect(problemOf('{"password": "hunter2hunter2", oops')).not.toContain('hunter2');
  });
});

describe('a wrapper around the arguments', () => {
  const reader = new ArgumentsReader(['forecast'], {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
  });
  const read = (raw: unknown, of = reader) => {
    const parsed = of.read(raw);
    return 'problem' in parsed ? parsed.problem : parsed.input;
  };

  it.each(['parameters', 'arguments', 'args', 'input'])('"%s" is taken off', (key) => {
    expect(read({ [key]: ROME })).toEqual(ROME);
    expect(read(JSON.stringify({ name: 'forecast', [key]: ROME }))).toEqual(ROME);
    expect(read({ [key]: JSON.stringify(ROME) })).toEqual(ROME);
  });

  it('is reported', () => {
    expect(reader.read({ args: ROME })).toMatchObject({
      repairs: ['took the arguments out of "args"'],
    });
  });

  it.each<[string, unknown]>([
    ['there is another key', { args: ROME, mode: 'x' }],
    ['it holds no object', { args: 'Rome' }],
    ['it is for another tool', { name: 'other', arguments: ROME }],
  ])('stays if %s', (_, raw) => {
    expect(read(raw)).toEqual(raw);
  });

  it('stays if the tool has such an argument, or takes any', () => {
    const own = new ArgumentsReader(['own'], {
      type: 'object',
      properties: { input: { type: 'object' }, name: { type: 'string' } },
    });
    const open = new ArgumentsReader(['open'], {
      type: 'object',
      properties: {},
      additionalProperties: true,
    });
    expect(read({ input: ROME }, own)).toEqual({ input: ROME });
    expect(read({ name: 'own', arguments: ROME }, own)).toEqual({ name: 'own', arguments: ROME });
    expect(read({ input: ROME }, open)).toEqual({ input: ROME });
  });
});

function hasProtoKey(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoKey);
}

describe('keys that would reach a prototype', () => {
  it.each([
    '{"__proto__": {"admin": true}, "a": 1}',
    '{"\\u005f_proto__": {"admin": true}, "a": 1}',
    '{"a": 1, "id": 12345678901234567, "__proto__": {"admin": true}}',
    "{'a': 1, 'x': {'__proto__': {'admin': True}}}",
    '{"arguments": "{\\"__proto__\\": {\\"admin\\": true}, \\"a\\": 1}"}',
  ])('never do: %s', (text) => {
    const reader = new ArgumentsReader(['t'], { type: 'object', properties: { a: {}, id: {} } });
    for (const parsed of [reader.read(text), parseArguments(text)]) {
      if ('problem' in parsed) continue;
      expect(hasProtoKey(parsed.input)).toBe(false);
      expect((parsed.input as { admin?: unknown }).admin).toBeUndefined();
    }
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });
});

describe('what only looks like one reading is refused:', () => {
  it.each([
    ['a # after an inner quote', '{"text": "Use the hashtag "#winning" today", "channel": "x"}'],
    ['a # after an inner single quote', "{'text': 'issue '#5' is open'}"],
    ['// after an inner quote', '{"text": "see "//example.com now", "b": 1}'],
    ['/* after an inner quote', '{"text": "x "/* y */, "b": 1}'],
    ['a comment that swallows the rest', '{"a": "x" // note, "b": "y"}'],
    ['a comment that ends with the text', '{"a": "x" // note'],
    ['a division', '{"a": 10//3, "b": 1\n}'],
    ['a comment in a comment', '{"a": 1, /* x * "b": 2, /* y */ "c": 3}'],
    ['a comment for what is left out', '{"a": 1, // ... other args\n}'],
    ['arguments of a call around it', 'tool(city="Paris", filter={"status":"open"})'],
    ['arguments in tags', '<function=t><parameter=f>{"status":"open"}</parameter></function>'],
    ['an argument in tags', '<arg_key>f</arg_key><arg_value>{"status":"open"}</arg_value>'],
    ['lines of arguments before it', 'b: 2\nc: {"a":1}'],
    ['a name before it', 'q: {"a":1}'],
    ['an assignment before it', 'b=2 {"a":1}'],
    ['a line after it', '{"a":1}\nb: 2'],
    ['an assignment after it', '{"a":1} | b = 2'],
    ['a number after it', '{"a":1}\n5'],
    ['its first bracket missing', 'a: {"b":"y"}}'],
    ['a template in quotes', 'The template is "hello {name: 5} there"'],
    ['an open thought', '<think>hm {"a":2}'],
    ['an open thought of another kind', '<thinking>maybe {"a":2}'],
    ['a thought in the middle', 'Sure <think>maybe {"a":2}</think> no.'],
    ['a comment line', '// {"a": 2}'],
    ['a shell comment', '# old: {"a":2}'],
    ['backslashes in quotes', `'{"path":"C:\\\\temp"}'`],
    ['backslashes in escapes', '{\\"p\\": \\"C:\\\\temp\\"}'],
    ['backslashes of Python in quotes', JSON.stringify("{ 'b': 'C:\\temp' }")],
    ['\\x in double quotes', '{"path": "C:\\bin\\x64"}'],
    ['an escape that Python does not know', "{'a': 'b\\/c'}"],
    ['a name cut off at its apostrophe', "{'name': 'O'"],
    ['typographic quotes that do not fit', '{"q": “x", "r": "y”}'],
    ['typographic quotes in each other', '{ “c: [ 40], “a”: 1 }'],
    ['a unit after a number', '{"a": 5 ft: 2}'],
    ['braces in prose', 'I would pass {} but nothing fits'],
    ['lists of lists that are open', '{"a": [[["a","b"] , "c"'],
    ['a division with blanks', '{"limit": 7 // 2\n}'],
    ['a comment with another value', '{"tags": ["a" /* , "b" */]}'],
    ['an open positional argument', 'tool(active, {"q":"x"})'],
    ['an option before it', 'tool --limit 5 {"q":"x"}'],
    ['a table before it', '| limit | 5 |\n{"q":"x"}'],
    ['a tag before it', '<Limit>5</Limit>{"q":"x"}'],
    ['a key that is a number', '{"m":{"k":"a","9":{"z":"1","q":"y"}}'],
    ['a bracket of nested lists', '{"rule":{"all":[{"any":[{"f":"x"},{"f":"y"}]}}'],
    ['many broken places', `{${'"k":[1,],'.repeat(200)}"z":1}`],
  ])('%s', (_, text) => {
    expect(problemOf(text)).toMatch(/not valid JSON/);
  });

  it('a bracket that could be missing in two places', () => {
    const reader = new ArgumentsReader(['t'], {
      type: 'object',
      properties: {
        filter: { type: 'object', properties: { status: {}, limit: {} } },
        limit: { type: 'integer' },
      },
    });
    expect(reader.read('{"filter": {"status": "open", "limit": "5"}')).toHaveProperty('problem');
    expect(reader.read('{"filter": {"status": "open"}')).toMatchObject({
      input: { filter: { status: 'open' } },
    });
    expect(reader.read('The filter: {"status": "open"}')).toHaveProperty('problem');
  });

  it('arguments of a type that names another tool', () => {
    const reader = new ArgumentsReader(['t'], { type: 'object', properties: { q: {} } });
    expect(reader.read({ type: 'other_tool', input: { q: 'x' } })).toMatchObject({
      input: { type: 'other_tool' },
    });
    expect(reader.read({ type: 'tool_use', input: { q: 'x' } })).toMatchObject({
      input: { q: 'x' },
    });
  });

  it.each([
    ['blank', ''],
    ['null', 'null'],
    ['nothing', undefined],
  ])('%s, if the model was cut off', (_, raw) => {
    expect(parseArguments(raw, true)).toHaveProperty('problem');
  });

  it.each<[string, unknown]>([
    ['a Map', new Map([['a', 1]])],
    ['a promise', Promise.resolve({ a: 1 })],
    ['a number that is none', { a: NaN }],
    ['an infinite number', { a: Infinity }],
  ])('%s as a value', (_, raw) => {
    expect(parseArguments(raw)).toHaveProperty('problem');
  });

  it('but the digits of a value are never made up', () => {
    const reader = new ArgumentsReader(['t'], {
      type: 'object',
      properties: { s: { type: 'string' } },
    });
    expect(reader.read({ s: 2 ** 60 })).toMatchObject({ input: { s: 2 ** 60 } });
  });
});

describe('what takes time', () => {
  const timed = (run: () => unknown) => {
    const started = performance.now();
    run();
    return performance.now() - started;
  };

  it.each([
    ['values beside each other', `{"q":[${'1 '.repeat(100_000)}],}`],
    ['open lists', `{"x":[${'1,'.repeat(60_000)}${'['.repeat(1_500)}"x"`],
    ['blanks in a line', `x\n${' '.repeat(100_000)}!{"q":"x"}`],
    ['blanks after an object', `{"q":"x"} x\n${' '.repeat(100_000)}!`],
    ['blanks after a fence', `\`\`\`${' '.repeat(100_000)}{"a":1,}`],
    ['blanks before an object', `x${' '.repeat(100_000)}{"a":1,}`],
    ['blanks in quotes', `"${' '.repeat(100_000)}x{"a":1,}`],
    ['thoughts', '<think>'.repeat(20_000)],
    ['openings of comments', `{${'/*'.repeat(60_000)}`],
    ['missing commas', `{${Array.from({ length: 15_000 }, (_, n) => `"k${n}":1 `).join('')}}`],
    ['names in prose', `${'city '.repeat(30_000)}{"city":1,}`],
  ])('is little for %s', (_, text) => {
    const reader = new ArgumentsReader(['t'], { type: 'object', properties: { city: {}, '': {} } });
    expect(timed(() => reader.read(text))).toBeLessThan(1_000);
  });

  it('does not grow with the depth of a union that contains itself', () => {
    const filter = {
      anyOf: [
        group('and'),
        group('or'),
        {
          type: 'object',
          properties: { field: { type: 'string' }, value: { type: 'number' } },
          additionalProperties: false,
        },
      ],
    };
    const reader = new ArgumentsReader(['t'], {
      type: 'object',
      properties: { filter: { $ref: '#/$defs/Filter' } },
      $defs: { Filter: filter },
    });
    for (const value of ['"5"', '"x"', '5']) {
      let text = `{"field":"a","value":${value}}`;
      for (let depth = 0; depth < 60; depth++) text = `{"args":[${text}],"op":"or"}`;
      expect(timed(() => reader.read(`{"filter":${text}}`))).toBeLessThan(1_000);
    }
  });

  it('does not grow with the depth of a schema that names itself in two parts', () => {
    const node = {
      properties: { c: { $ref: '#/$defs/Node' }, n: { type: 'integer' } },
    };
    const reader = new ArgumentsReader(['t'], {
      type: 'object',
      properties: { c: { $ref: '#/$defs/Node' } },
      $defs: { Node: { ...node, allOf: [node, { properties: { c: { $ref: '#/$defs/Node' } } }] } },
    });
    let text = '{"n":"5"}';
    for (let depth = 0; depth < 60; depth++) text = `{"c":${text}}`;
    let parsed: unknown;
    expect(timed(() => (parsed = reader.read(text)))).toBeLessThan(1_000);
    expect(JSON.stringify(parsed)).toContain('{"n":5}');
  });

  function group(op: string) {
    return {
      type: 'object',
      properties: { op: { const: op }, args: { type: 'array', items: { $ref: '#/$defs/Filter' } } },
      required: ['op', 'args'],
      additionalProperties: false,
    };
  }
});

describe('a problem quotes no secret', () => {
  const reader = new ArgumentsReader(['t'], {
    type: 'object',
    properties: {
      code: { anyOf: [{ type: 'string', format: 'password' }, { type: 'null' }] },
      note: { type: 'string' },
    },
  });
  it.each([
    '{"password": "hunter2',
    `{"note":"${'x'.repeat(165)}","password":"hunter2" x`,
    '{"password": "ab\\"cdef hunter2" x',
    '{"password": {"v":"hunter2"} x',
    '{"tokens": ["aaaa","hunter2"] x',
    '{password: my hunter2 pass}',
    '{"password":           "hunter2" x',
    '{"pin": "hunter2" x',
    '{"userPin": "hunter2" x',
    '{"CVV": "hunter2" x',
    '{"mySecretKey": "hunter2" x',
    '{"private_key": "hunter2" x',
    '{"code": "hunter2" x',
    '{"Code": hunter2}',
    '{"p\\u0061ssword": "hunter2", x}',
    '[{"code":"hunter2"}]',
    '{"Pin": "hunter2" x',
    '{"access_key": "hunter2" x',
    '["password","hunter2"]',
    '{“password”: “hunter2” x',
  ])('%s', (text) => {
    const parsed = reader.read(text);
    expect(parsed).toHaveProperty('problem');
    expect(JSON.stringify(parsed)).not.toContain('hunter2');
  });

  it('nor keys in full', () => {
    const long = reader.read(JSON.stringify({ note: 'x' }).replace('note', 'k'.repeat(100_000)));
    expect(JSON.stringify(long).length).toBeLessThan(110_000);
    const inexact = reader.read(`{"${'k'.repeat(100_000)}": 9007199254740993}`);
    expect(JSON.stringify(inexact).length).toBeLessThan(400);
  });
});

describe('arguments in the prose around an object', () => {
  const reader = new ArgumentsReader(['t'], {
    type: 'object',
    properties: { q: { type: 'string' }, limit: {}, orderId: {}, filter: { type: 'object' } },
  });

  it.each([
    '**limit**: 5\n{"q":"x"}',
    '* **Limit:** 5\n{"q":"x"}',
    '`limit`: 5\n{"q":"x"}',
    'Order ID: 77\n{"q":"x"}',
    'limit (integer): 5 {"q":"x"}',
    'limit -> 5 {"q":"x"}',
    '{"q":"x"}\nOrder id: 77',
    '**filter**: {"q":"x"}',
    'filter {"q":"x"}',
    'filter (object): {"q":"x"}',
  ])('are not lost: %s', (text) => {
    expect(reader.read(text)).toHaveProperty('problem');
  });

  it.each([
    'Calling the tool now: {"q":"x"}',
    'Sure: {"q":"x"}',
    'I limited it as you said.\n{"q":"x"}<|im_end|>',
    '{"q":"x"}<|eot_id|>',
  ])('are not seen where there are none: %s', (text) => {
    expect(reader.read(text)).toMatchObject({ input: { q: 'x' } });
  });
});
