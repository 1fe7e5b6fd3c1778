import { describe, expect, it } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsDate,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import { problemOf, schemaOf, validate } from './support/describe.js';

class Range {
  @IsInt()
  from = 0;
}

describe('the initial value of a property', () => {
  class Dto {
    @IsInt()
    limit = 10;

    @IsBoolean()
    gift = false;

    @IsArray()
    @IsString({ each: true })
    tags: string[] = ['a'];

    @IsObject()
    filter: object = { open: true };

    @ValidateNested()
    @Type(() => Range)
    range = new Range();

    @IsString()
    id: string = crypto.randomUUID();

    @IsDate()
    @Type(() => Date)
    at = new Date();
  }

  it('is its default, and the property may be missing', async () => {
    const { properties, required } = schemaOf(Dto);
    expect(required).toBeUndefined();
    expect(properties).toMatchObject({
      limit: { type: 'integer', default: 10 },
      gift: { type: 'boolean', default: false },
      tags: { type: 'array', items: { type: 'string' }, default: ['a'] },
      filter: { type: 'object', default: { open: true } },
      range: { $ref: '#/$defs/Range' },
    });
    expect(await validate(Dto, {})).toMatchObject({ limit: 10, gift: false, range: { from: 0 } });
    expect(await validate(Dto, { limit: 3 })).toMatchObject({ limit: 3, tags: ['a'] });
  });

  it('is not told where every instance gets another one, or JSON has none', () => {
    const { properties } = schemaOf(Dto);
    for (const name of ['id', 'at', 'range'])
      expect(properties[name]).not.toHaveProperty('default');
  });

  it('does not count if the rules refuse it: it only satisfies the compiler', async () => {
    class Strict {
      @IsNotEmpty()
      name: string = '';

      @IsInt()
      @Min(1)
      count = 0;

      @IsString()
      note: string | null = null;
    }
    const { properties, required } = schemaOf(Strict);
    expect(required).toEqual(['name', 'count', 'note']);
    expect(properties.count).toEqual({ type: 'integer', minimum: 1 });
    expect(await validate(Strict, {})).toHaveLength(3);
  });

  it('wins over the default in @ApiProperty(), which applies where class-validator has no rule', async () => {
    class Documented {
      @ApiProperty({ default: 1 })
      @IsInt()
      rules = 2;

      @ApiProperty({ default: 3, required: false })
      api!: number;

      @ApiProperty({ default: 4 })
      filled!: number;
    }
    expect(schemaOf(Documented).required).toBeUndefined();
    expect(schemaOf(Documented).properties).toEqual({
      rules: { type: 'integer', default: 2 },
      api: { type: 'number', default: 3 },
      filled: { type: 'number', default: 4 },
    });
    expect(await validate(Documented, {})).toEqual({ rules: 2, api: 3, filled: 4 });
  });

  it('cannot be had if the constructor throws, and then no call could make an instance', () => {
    class Copy {
      @IsInt()
      limit: number;

      constructor(source: { limit: number }) {
        this.limit = source.limit;
      }
    }
    class Holder {
      @ValidateNested()
      @Type(() => Copy)
      copy!: Copy;
    }
    expect(problemOf(Copy)).toMatch(
      /^"Copy" cannot be made by class-transformer, .*limit.*Give the parameters of the constructor defaults/,
    );
    expect(problemOf(Holder)).toMatch(/^"Holder\.copy" cannot be made/);
  });
});

describe('a property without a decorator', () => {
  it('that has a value is the class’s own: never described, never set, no reason to refuse', async () => {
    class Dto {
      @IsString()
      text!: string;

      isAdmin = false;
      private readonly seen: string[] = [];

      see() {
        this.seen.push(this.text);
        return this.seen;
      }
    }
    expect(Object.keys(schemaOf(Dto).properties)).toEqual(['text']);
    const dto = (await validate(Dto, { text: 'a' })) as Dto;
    expect(dto.see()).toEqual(['a']);
    expect(dto.isAdmin).toBe(false);
    expect(await validate(Dto, { text: 'a', isAdmin: true })).toEqual([
      'isAdmin: property isAdmin should not exist',
    ]);
  });

  it('does not stand for one that is computed', async () => {
    class Dto {
      @IsString()
      text!: string;

      @IsString()
      get upper() {
        return this.text.toUpperCase();
      }
    }
    expect(Object.keys(schemaOf(Dto).properties)).toEqual(['text']);
    expect(await validate(Dto, { text: 'a' })).toMatchObject({ upper: 'A' });
    expect(await validate(Dto, { text: 'a', upper: 'B' })).toEqual([
      'upper: property upper should not exist',
    ]);
  });

  it('that has no value is a mistake', () => {
    class Inner {
      @IsString()
      text!: string;

      lost!: string;
    }
    class Dto {
      @IsOptional()
      @ValidateNested()
      @Type(() => Inner)
      inner?: Inner;

      forgotten!: number;
    }
    const message = problemOf(Dto);
    expect(message).toContain(
      '"Dto.forgotten" has no decorator, so it can neither be described nor set. Add a ' +
        "class-validator rule such as @IsString(), or @Exclude() if it is the class's own.",
    );
    expect(message).toContain('"Dto.inner.lost" has no decorator');
  });
});
