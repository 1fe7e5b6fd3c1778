import { describe, expect, it } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsDate,
  IsDateString,
  IsInt,
  IsOptional,
  IsString,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { problemOf, schemaOf, validate } from './support/describe.js';

describe('@Expose()', () => {
  class Inner {
    @Expose({ name: 'zip_code' })
    @IsString()
    zipCode!: string;
  }
  class Dto {
    @Expose({ name: 'full_name' })
    @IsString()
    fullName!: string;

    @Expose()
    nick!: string;

    @IsOptional()
    @ValidateNested()
    @Type(() => Inner)
    inner?: Inner;

    @Expose({ groups: ['admin'] })
    @IsOptional()
    @IsString()
    role?: string;
  }

  it('gives the name in the input, and in the problems', async () => {
    expect(schemaOf(Dto)).toMatchObject({
      properties: { full_name: { type: 'string' }, nick: { type: 'string' } },
      required: ['full_name', 'nick'],
    });
    expect(await validate(Dto, { full_name: 'a', nick: 'b' })).toMatchObject({ fullName: 'a' });
    expect(await validate(Dto, { full_name: 1, nick: 2, inner: { zip_code: 3 } })).toEqual([
      'full_name: fullName must be a string',
      'inner.zip_code: zipCode must be a string',
      expect.stringMatching(/^nick: must be string/),
    ]);
    expect(await validate(Dto, { fullName: 'a', full_name: 'a', nick: 'b' })).toEqual([
      'fullName: property fullName should not exist',
    ]);
  });

  it('to some groups only is not for the model', async () => {
    expect(schemaOf(Dto).properties).not.toHaveProperty('role');
    expect(await validate(Dto, { full_name: 'a', nick: 'b', role: 'x' })).toEqual([
      'role: property role should not exist',
    ]);
  });
});

describe('@Exclude()', () => {
  it('keeps a property out of the schema', async () => {
    class Dto {
      @IsString()
      name!: string;

      @Exclude()
      secret!: string;

      @Exclude({ toPlainOnly: true })
      @IsString()
      password!: string;

      @Exclude({ toClassOnly: true })
      @IsInt()
      version = 1;
    }
    expect(Object.keys(schemaOf(Dto).properties)).toEqual(['name', 'password']);
    expect(await validate(Dto, { name: 'a', password: 'b' })).toMatchObject({ version: 1 });
  });

  it('on the class leaves what is exposed', async () => {
    @Exclude()
    class Dto {
      @Expose()
      @IsString()
      name!: string;

      @IsOptional()
      @IsString()
      other?: string;
    }
    expect(Object.keys(schemaOf(Dto).properties)).toEqual(['name']);
  });

  it('is a mistake where the rules refuse that the property is missing', () => {
    class Dto {
      @IsString()
      name!: string;

      @Exclude()
      @IsString()
      password!: string;
    }
    expect(problemOf(Dto)).toContain(
      '"Dto.password" is kept out of the input by class-transformer',
    );
    expect(problemOf(Dto)).toContain('@Exclude({ toPlainOnly: true })');
  });
});

describe('@Transform()', () => {
  it('leaves it to @ApiProperty() and the rules to say what the input is', async () => {
    class Dto {
      @Transform(({ value }: { value: string }) => value.trim())
      @MinLength(2)
      text!: string;

      @ApiProperty({ type: String })
      @Transform(({ value }: { value: string }) => value.split(','))
      @IsArray()
      @IsString({ each: true })
      tags!: string[];

      @ApiProperty({ type: 'integer' })
      @Transform(({ value }: { value: number }) => new Date(value))
      @IsDate()
      at!: Date;
    }
    expect(schemaOf(Dto).properties).toEqual({
      text: { type: 'string', minLength: 2 },
      tags: { type: 'string' },
      at: { type: 'integer' },
    });
    expect(await validate(Dto, { text: ' ab ', tags: 'a,b', at: 0 })).toEqual({
      text: 'ab',
      tags: ['a', 'b'],
      at: new Date(0),
    });
  });

  it('alone says nothing: the design type is what comes out', () => {
    class Dto {
      @IsString()
      text!: string;

      @Expose()
      @Transform(({ value }) => Number(value))
      count!: number;
    }
    expect(problemOf(Dto)).toBe(
      '"Dto.count" has a @Transform(), so its type does not tell what the input may be. Add ' +
        '@ApiProperty({ type: … }), or a class-validator rule that the input fulfils, too.',
    );
  });

  it('only towards plain objects does not matter', () => {
    class Dto {
      @Transform(({ value }) => String(value), { toPlainOnly: true })
      @Expose()
      count!: number;
    }
    expect(schemaOf(Dto).properties).toEqual({ count: { type: 'number' } });
  });
});

describe('@Type()', () => {
  it('tells the type where nothing else does', async () => {
    class Dto {
      @Type(() => Number)
      count!: number;

      @Type(() => String)
      tags!: string[];

      @Type(() => String)
      set!: Set<string>;
    }
    expect(schemaOf(Dto).properties).toEqual({
      count: { type: 'number' },
      tags: { type: 'array', items: { type: 'string' } },
      set: { type: 'array', items: { type: 'string' } },
    });
    expect(await validate(Dto, { count: 1, tags: ['a'], set: ['a', 'a'] })).toEqual({
      count: 1,
      tags: ['a'],
      set: new Set(['a']),
    });
  });

  it('is not needed for a date', async () => {
    class Dto {
      @IsDate()
      rules!: Date;

      @ApiProperty()
      api!: Date;

      @IsDateString()
      text!: Date;
    }
    const day = '2024-01-31T00:00:00Z';
    expect(await validate(Dto, { rules: day, api: day, text: day })).toEqual({
      rules: new Date(day),
      api: new Date(day),
      text: day,
    });
    expect(await validate(Dto, { rules: 'soon', api: 'soon', text: 'soon' })).toHaveLength(3);
  });
});
