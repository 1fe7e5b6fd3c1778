import { describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as classValidator from 'class-validator';
import { schemaOf, validate } from './support/describe.js';
import { RULE_ROWS, type RuleRow } from './support/rule.rows.js';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/** Values of every kind: whatever the library accepts of them, the schema must accept, too. */
const SAMPLES: unknown[] = [
  '',
  ' ',
  'a',
  'abc',
  'ABC',
  'a b',
  'a-b',
  '12',
  '5.5',
  '-3',
  '0xff',
  'true',
  'null',
  'ä',
  'a@b.co',
  'A.B+c@sub.example.org',
  'https://example.com/a?b=1',
  'example.com',
  '1.2.3.4',
  '2024-01-31',
  '2024-01-31T10:00:00Z',
  '2024-01-31T10:00:00.000+02:00',
  '23:59',
  '😀',
  '550e8400-e29b-41d4-a716-446655440000',
  '507f1f77bcf86cd799439011',
  'CH',
  'de-CH',
  '::1',
  0,
  1,
  -1,
  5,
  10,
  1.5,
  19.99,
  0.07,
  100,
  1e21,
  true,
  false,
  null,
  {},
  { a: 1 },
  [],
  ['a'],
  ['a', 'a'],
  ['a', 'b'],
  ['b', 'c', 'd'],
  [1, 2],
];

function dtoFor({ decorate, designType }: RuleRow): Type {
  class RuleDto {}
  if (designType) {
    Reflect.defineMetadata('design:type', designType, RuleDto.prototype, 'value');
  }
  for (const decorator of decorate) decorator(RuleDto.prototype, 'value');
  return RuleDto;
}

describe('each rule of class-validator', () => {
  it('has its row', () => {
    const names = Object.entries(classValidator)
      .filter(([key, value]) => typeof value === 'string' && /^[A-Z0-9_]+$/.test(key))
      .map(([, value]) => value as string);
    expect(names.length).toBeGreaterThan(95);
    const covered = new Set(RULE_ROWS.map(({ rule }) => rule));
    expect(names.filter((name) => !covered.has(name))).toEqual(['isOptional']);
  });

  it.each(RULE_ROWS.map((row, index) => [`${row.rule} (${index})`, row] as const))(
    '%s is described and enforced',
    async (_name, row) => {
      const dto = dtoFor(row);
      const schema = schemaOf(dto);
      expect(schema.properties.value).toEqual(row.schema);

      const accepts = ajv.compile(schema);
      const accepted = { value: row.accepted };
      expect(await validate(dto, accepted)).toBeInstanceOf(dto);
      expect([accepts(accepted), accepts.errors]).toEqual([true, null]);

      const refused = { value: row.refused };
      expect(await validate(dto, refused)).toContainEqual(expect.stringContaining('value'));
      expect(accepts(refused)).toBe(row.isLoose ?? false);
    },
  );

  it.each(
    RULE_ROWS.filter(({ narrower }) => !narrower).map(
      (row, index) => [`${row.rule} (${index})`, row] as const,
    ),
  )('%s never refuses by its schema what the library accepts', async (_name, row) => {
    const dto = dtoFor(row);
    const accepts = ajv.compile(schemaOf(dto));
    const refused: unknown[] = [];
    for (const value of SAMPLES) {
      // A rule with `each` takes a single value as well; the schema says what the property is.
      if (row.decorate.length > 1 && schemaOf(dto).properties.value.type === 'array') {
        if (!Array.isArray(value)) continue;
      }
      const isValid = !Array.isArray(await validate(dto, { value }));
      if (isValid && !accepts({ value })) refused.push(value);
    }
    expect(refused).toEqual([]);
  });

  it.each(RULE_ROWS.filter(({ designType }) => !designType).map((row) => [row.rule, row] as const))(
    '%s decides by itself whether the property may be missing',
    async (_name, row) => {
      const dto = dtoFor(row);
      const isRequired = schemaOf(dto).required?.includes('value') ?? false;
      expect(isRequired).toBe(Array.isArray(await validate(dto, {})));
    },
  );
});
