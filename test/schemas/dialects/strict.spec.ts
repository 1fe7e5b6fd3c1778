import { describe, expect, it } from '@jest/globals';
import {
  toAnthropicSchema,
  toAnthropicStrictSchema,
  toOpenAISchema,
  toOpenAIStrictSchema,
  type JsonSchema,
  type ObjectJsonSchema,
} from 'nestjs-agent-tools';
import { inputOf, openai, anthropic, valueOf } from './inputs.js';

describe('the strict dialects of OpenAI and Anthropic', () => {
  describe.each([
    ['OpenAI', openai],
    ['Anthropic', anthropic],
  ])('of %s', (_name, convert) => {
    it('close objects', () => {
      expect(convert({ type: 'object', properties: {} }).schema).toEqual({
        type: 'object',
        properties: {
          value: expect.objectContaining({ type: 'object', additionalProperties: false }),
        },
        required: ['value'],
        additionalProperties: false,
      });
    });

    it.each<[string, JsonSchema, JsonSchema]>([
      ['const', { const: 'a' }, { type: 'string', enum: ['a'] }],
      ['const of a type', { type: 'integer', const: 1 }, { type: 'integer', enum: [1] }],
      ['const null', { const: null }, { type: 'null' }],
      ['an enum without a type', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
      [
        'an enum that takes null',
        { type: ['string', 'null'], enum: ['a', null] },
        { type: ['string', 'null'], enum: ['a', null] },
      ],
      [
        'an enum whose type excludes null',
        { type: 'string', enum: ['a', null] },
        { type: 'string', enum: ['a'] },
      ],
      [
        'an enum of several types',
        { enum: ['a', 1, true] },
        {
          anyOf: [
            { type: 'string', enum: ['a'] },
            { type: 'integer', enum: [1] },
            { type: 'boolean', enum: [true] },
          ],
        },
      ],
      ['one type in a list', { type: ['string'] }, { type: 'string' }],
      ['null in a list', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
      [
        'several types',
        { type: ['string', 'integer', 'null'], description: 'D' },
        { description: 'D', anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
      ],
      [
        'an array or null',
        { type: ['array', 'null'], items: { type: 'string' } },
        { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
      ],
      [
        'literals as a union',
        { anyOf: [{ const: 'a' }, { const: 'b' }] },
        { type: 'string', enum: ['a', 'b'] },
      ],
      [
        'oneOf of types that exclude each other',
        { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
        { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
      ],
      [
        'a union within a union',
        { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'boolean' }] }, { type: 'null' }] },
        { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'null' }] },
      ],
      ['a title', { type: 'string', title: 'T' }, { type: 'string', title: 'T' }],
      ['what no model needs', { type: 'string', $comment: 'c', 'x-a': 1 }, { type: 'string' }],
      ['a constraint of other types', { type: 'string', minimum: 1 }, { type: 'string' }],
    ])('convert %s without a loss', (_case, value, expected) => {
      const converted = convert(value);
      expect(valueOf(converted)).toEqual(expected);
      expect(converted.losses).toEqual([]);
    });

    it.each<[string, JsonSchema, string]>([
      ['minLength', { type: 'string', minLength: 3 }, 'at least 3 characters'],
      ['maxLength', { type: 'string', maxLength: 1 }, 'at most 1 character'],
      ['pattern', { type: 'string', pattern: '^(?!a)' }, 'matches the pattern ^(?!a)'],
      ['pattern', { type: 'string', pattern: '(?<=a)b' }, 'matches the pattern (?<=a)b'],
      ['format', { type: 'string', format: 'iban' }, 'in the format "iban"'],
      ['default', { type: 'string', default: 'a' }, 'default: "a"'],
      ['examples', { type: 'string', examples: ['a'] }, 'for example: "a"'],
      ['not', { type: 'string', not: { const: 'a' } }, 'not {"const":"a"}'],
      [
        'uniqueItems',
        { type: 'array', items: { type: 'string' }, uniqueItems: true },
        'no duplicate items',
      ],
      [
        'contains',
        { type: 'array', items: { type: 'string' }, contains: { const: 'a' } },
        'some item is {"const":"a"}',
      ],
      [
        'minProperties',
        { type: 'object', properties: {}, minProperties: 1 },
        'at least 1 property',
      ],
      [
        'dependentRequired',
        { type: 'object', properties: {}, dependentRequired: { a: ['b', 'c'] } },
        'with "a" also "b", "c"',
      ],
      [
        'propertyNames',
        { type: 'object', properties: {}, propertyNames: { maxLength: 2 } },
        'names of properties are {"maxLength":2}',
      ],
      [
        'oneOf',
        {
          oneOf: [
            { type: 'string', pattern: 'a' },
            { type: 'string', pattern: 'b' },
          ],
        },
        'exactly one of the variants',
      ],
    ])('put %s into words, and name the loss', (keyword, value, words) => {
      const converted = convert(value);
      expect(valueOf(converted).description).toBe(words);
      expect(valueOf(converted)).not.toHaveProperty(keyword);
      expect(converted.losses).toEqual([`/properties/value/${keyword}`]);
      const described = valueOf(convert({ ...value, description: 'The value.' }));
      expect(described.description).toBe(`The value. (${words})`);
    });

    it('put a condition into words', () => {
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      const condition = { if: { minLength: 2 }, then: { pattern: 'a' }, else: { pattern: 'b' } };
      const converted = convert({ type: 'string', ...condition });
      expect(valueOf(converted)).toEqual({
        type: 'string',
        description: 'if {"minLength":2} then {"pattern":"a"} else {"pattern":"b"}',
      });
      expect(converted.losses).toHaveLength(3);
    });

    it('leave a long pattern out of the words, and one that a format says', () => {
      const pattern = `^(?!${'a'.repeat(200)})`;
      expect(valueOf(convert({ type: 'string', pattern }))).toEqual({ type: 'string' });
      const email = valueOf(convert({ type: 'string', format: 'email', pattern: '^(?!a)' }));
      expect(email).toEqual({ type: 'string', format: 'email' });
    });

    it('keep a pattern that only looks like one that looks ahead', () => {
      for (const pattern of ['\\(?=a', '[(?=]', '(?:a)', '(?<name>a)']) {
        expect(valueOf(convert({ type: 'string', pattern }))).toEqual({ type: 'string', pattern });
      }
    });

    it('turn a tuple into a list of its types', () => {
      const prefixItems = [{ type: 'string' }, { type: 'integer' }];
      const converted = convert({ type: 'array', prefixItems });
      expect(valueOf(converted)).toEqual({
        type: 'array',
        items: { anyOf: prefixItems },
        description: 'items in this order: {"type":"string"}, {"type":"integer"}',
      });
      expect(converted.losses).toEqual(['/properties/value/prefixItems']);
      const draft07 = convert({ type: 'array', items: prefixItems });
      expect(valueOf(draft07)).toEqual(valueOf(converted));
    });

    describe('merge allOf', () => {
      const a = { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] };
      const b = { type: 'object', properties: { y: { type: 'string' } }, required: ['y'] };

      it('of objects', () => {
        expect(valueOf(convert({ allOf: [a, b], description: 'Both.' }))).toEqual({
          type: 'object',
          description: 'Both.',
          properties: { x: { type: 'string' }, y: { type: 'string' } },
          required: ['x', 'y'],
          additionalProperties: false,
        });
      });

      it('of constraints, the tighter one of each', () => {
        const parts = [
          { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1 },
          { items: { enum: ['b', 'c'] }, minItems: 0 },
        ];
        expect(valueOf(convert({ allOf: parts }))).toEqual({
          type: 'array',
          items: { type: 'string', enum: ['b'] },
          minItems: 1,
        });
      });

      it('with the path of each loss', () => {
        const { losses } = convert({
          allOf: [
            { type: 'object', properties: { x: { type: 'string', minLength: 1 } } },
            { properties: { x: { maxLength: 2 }, y: { type: 'string', maxLength: 3 } } },
          ],
          required: ['x', 'y'],
        });
        expect(losses).toEqual([
          '/properties/value/allOf/0/properties/x/minLength',
          '/properties/value/allOf/1/properties/x/maxLength',
          '/properties/value/allOf/1/properties/y/maxLength',
        ]);
      });

      it('with a loss in each part that says it', () => {
        const part = (maxLength: number) => ({
          type: 'object',
          properties: { x: { type: 'string', minLength: 1, maxLength } },
          required: ['x'],
        });
        const { schema, losses } = convert({ allOf: [part(2), part(3)] });
        expect(schema.properties.value.properties?.x).toEqual({
          type: 'string',
          description: 'at least 1 character; at most 2 characters',
        });
        expect(losses.toSorted()).toEqual(
          [0, 1].flatMap((index) => [
            `/properties/value/allOf/${index}/properties/x/maxLength`,
            `/properties/value/allOf/${index}/properties/x/minLength`,
          ]),
        );
        expect(convert({ allOf: [part(2), part(2)] }).losses.toSorted()).toEqual(losses.toSorted());
      });

      it('around a reference alone by the reference', () => {
        const { schema } = convert(
          { allOf: [{ $ref: '#/$defs/A' }], description: 'An A.' },
          { $defs: { A: a } },
        );
        expect(schema.properties.value).toEqual({
          description: 'An A.',
          anyOf: [{ $ref: '#/$defs/A' }],
        });
        expect(schema.$defs?.A).toMatchObject({ required: ['x'], additionalProperties: false });
      });

      it('unless no schema says both', () => {
        const patterns = { allOf: [{ type: 'string', pattern: 'a' }, { pattern: 'b' }] };
        expect(convert(patterns)).toMatchObject({
          strict: false,
          schema: inputOf(patterns),
          refusals: [expect.stringContaining('/properties/value/allOf/1')],
        });
        expect(convert({ allOf: [{ type: 'string' }, { type: 'number' }] }).strict).toBe(false);
      });
    });

    it('move what stands beside a union into the variants', () => {
      const converted = convert({
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        required: ['a'],
        anyOf: [
          { required: ['b'] },
          { properties: { c: { type: 'boolean' } }, required: ['b', 'c'] },
        ],
      });
      const variants = valueOf(converted).anyOf as JsonSchema[];
      expect(variants.map(({ required }) => required)).toEqual([
        ['a', 'b'],
        ['a', 'b', 'c'],
      ]);
      expect(variants.every((variant) => variant.additionalProperties === false)).toBe(true);
    });

    it('tell the variants of a discriminated union apart', () => {
      const variant = (kind: string) => ({
        type: 'object',
        properties: { kind: { const: kind } },
        required: ['kind'],
      });
      expect(convert({ oneOf: [variant('a'), variant('b')] }).losses).toEqual([]);
      expect(convert({ oneOf: [variant('a'), variant('a')] }).losses).toHaveLength(1);
    });

    it('move definitions to the root, wherever they are', () => {
      const { schema, strict } = convert(
        {
          type: 'object',
          properties: {
            near: { $ref: '#/properties/value/$defs/Name' },
            far: { $ref: '#/definitions/Name' },
            same: { $ref: '#/properties/value/properties/near' },
          },
          required: ['near', 'far', 'same'],
          $defs: { Name: { type: 'string', title: 'near' } },
        },
        { definitions: { Name: { type: 'string', title: 'far' } }, $defs: { unused: {} } },
      );
      expect(strict).toBe(true);
      expect(schema.$defs).toEqual({
        Name: { type: 'string', title: 'near' },
        Name2: { type: 'string', title: 'far' },
      });
      expect(schema.properties.value).not.toHaveProperty('$defs');
    });

    it.each<[string, JsonSchema, string]>([
      ['a record', { type: 'object', additionalProperties: { type: 'string' } }, 'free keys'],
      [
        'an open object',
        { type: 'object', properties: {}, additionalProperties: true },
        'free keys',
      ],
      [
        'a pattern of names',
        { type: 'object', properties: {}, patternProperties: {} },
        'free keys',
      ],
      ['an object of which nothing is said', { type: 'object' }, 'without named properties'],
      ['an untyped value', {}, 'without a type'],
      ['true', true as unknown as JsonSchema, 'without a type'],
      ['false', false as unknown as JsonSchema, 'no value is valid'],
      ['untyped items', { type: 'array' }, 'items without a type'],
      ['an untyped constraint', { minimum: 3 }, 'without a type'],
      ['an enum of objects', { enum: [{ a: 1 }] }, 'without named properties'],
      ['an empty enum', { enum: [] }, 'allows no value'],
      ['a reference that leads nowhere', { $ref: '#/$defs/none' }, 'leads nowhere'],
      ['a reference to another document', { $ref: 'https://a.example/b.json' }, 'leads nowhere'],
      [
        'a required property that nothing describes',
        { type: 'object', properties: {}, required: ['a'] },
        '"a" required, but not described',
      ],
    ])('fall back for %s', (_case, value, reason) => {
      const converted = convert(value);
      expect(converted).toMatchObject({
        strict: false,
        refusals: [expect.stringContaining(reason)],
      });
      expect(converted.refusals[0]).toContain('/properties/value');
      const plain = convert === openai ? toOpenAISchema : toAnthropicSchema;
      expect(converted.schema).toEqual(plain(inputOf(value)).schema);
    });

    it('fall back for a union at the root', () => {
      expect(convert({ type: 'string' }, { anyOf: [{ required: ['value'] }] })).toMatchObject({
        strict: false,
        refusals: ['/anyOf: a union at the root'],
      });
    });

    it('take properties that are called like keywords', () => {
      const names = ['type', 'description', '$ref', 'properties', 'enum', 'anyOf', 'required'];
      const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
      const converted = convert({ type: 'object', properties, required: names });
      expect(valueOf(converted)).toMatchObject({ properties, required: names });
      expect(converted.losses).toEqual([]);
    });

    it('take __proto__ as the name of a property and of a definition', () => {
      const schema = JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string","minLength":1},' +
          '"b":{"$ref":"#/$defs/__proto__"}},"required":["__proto__","b"],' +
          '"$defs":{"__proto__":{"const":"x"}}}',
      ) as ObjectJsonSchema;
      const dialect = convert === openai ? toOpenAIStrictSchema : toAnthropicStrictSchema;
      const converted = dialect(schema);
      expect(converted.strict).toBe(true);
      expect(Object.keys(converted.schema.properties)).toEqual(['__proto__', 'b']);
      expect(Object.keys(converted.schema.$defs ?? {})).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(converted.schema.properties)).toBe(Object.prototype);
      expect(converted.losses).toEqual(['/properties/__proto__/minLength']);
    });
  });
});
