import { describe, expect, it } from '@jest/globals';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsDate,
  IsDefined,
  IsEnum,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { problemOf, schemaOf, validate } from './support/describe.js';

class Meta {
  @IsString()
  name!: string;
}

describe('a rule that does not look at the shape', () => {
  class Coarse {
    @IsNotEmpty()
    filled!: string;

    @IsDefined()
    defined!: number;

    @Allow()
    allowed!: boolean;

    @ArrayNotEmpty()
    @ApiProperty({ type: [Number] })
    numbers!: number[];

    @IsArray()
    @ApiProperty({ enum: ['a', 'b'], isArray: true })
    letters!: string[];

    @ValidateBy({ name: 'any', validator: { validate: () => true } })
    custom!: string;

    @IsNotEmpty()
    at!: Date;
  }
  const good = {
    filled: 'a',
    defined: 1,
    allowed: true,
    numbers: [1],
    letters: ['a'],
    custom: 'c',
    at: '2026-05-06',
  };

  it('leaves the shape to be checked', async () => {
    expect(await validate(Coarse, good)).toEqual({ ...good, at: new Date(good.at) });
  });

  it.each([
    ['filled', 5, 'filled: must be a string'],
    ['filled', ['a'], 'filled: must be a string'],
    ['defined', { a: 1 }, 'defined: must be a number'],
    ['allowed', { a: 1 }, 'allowed: must be a boolean'],
    ['allowed', null, 'allowed: must be a boolean'],
    ['numbers', ['x'], 'numbers.0: must be a number'],
    ['numbers', [1, {}], 'numbers.1: must be a number'],
    ['letters', ['z'], 'letters.0: must be one of ["a","b"]'],
    ['custom', {}, 'custom: must be a string'],
    ['at', 5, 'at: must be an ISO 8601 date'],
  ])('so that %s cannot be %j', async (name, value, message) => {
    expect(await validate(Coarse, { ...good, [name]: value })).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it('leaves the rest to the described schema', async () => {
    class Dto {
      @IsObject()
      @ApiProperty({ type: 'object', additionalProperties: { type: 'number' } })
      prices!: Record<string, number>;

      @IsNotEmpty()
      @ApiProperty({ maxLength: 2 })
      code!: string;

      @ValidateIf((_, value) => value !== null)
      @IsObject()
      @ApiProperty({ type: 'object', properties: { a: { type: 'string' } } })
      maybe!: object | null;
    }
    expect(await validate(Dto, { prices: { a: 1 }, code: 'ab', maybe: null })).toBeInstanceOf(Dto);
    expect(await validate(Dto, { prices: { a: 'x' }, code: 'abc', maybe: { a: 1 } })).toEqual([
      expect.stringMatching(/^prices\.a: /),
      expect.stringMatching(/^code: /),
      expect.stringMatching(/^maybe\.a: /),
    ]);
    expect(await validate(Dto, { prices: 1, code: null, maybe: null })).toEqual([
      'prices: prices must be an object',
      'code: code should not be empty',
    ]);
  });

  it.each([
    ['@IsArray()', IsArray(), true],
    ['@IsNotEmpty()', IsNotEmpty(), false],
    ['@IsObject()', IsObject(), false],
    ['@IsDefined()', IsDefined(), false],
    ['nothing', () => undefined, false],
  ])('of a class with rules stops the boot: %s', (_, decorate, isArray) => {
    class Dto {
      meta!: unknown;
    }
    decorate(Dto.prototype, 'meta');
    ApiProperty({ type: () => (isArray ? [Meta] : Meta) })(Dto.prototype, 'meta');
    expect(problemOf(Dto)).toContain(
      `"Dto.meta" is of class "Meta", whose class-validator rules apply only to nested objects that ` +
        `are marked. Add @ValidateNested(${isArray ? '{ each: true }' : ''}).`,
    );
  });

  it('stops the boot for a variant with rules, too, and for what an inner class holds', () => {
    class Inner {
      @ApiProperty()
      meta!: Meta;
    }
    class Dto {
      @IsObject()
      @Type(() => Object, {
        discriminator: { property: 'kind', subTypes: [{ name: 'meta', value: Meta }] },
      })
      variant!: Meta;

      @ApiProperty()
      inner!: Inner;
    }
    expect(problemOf(Dto)).toContain('"Dto.variant" is of class "Meta"');
    expect(problemOf(Dto)).toContain('"Dto.inner.meta" is of class "Meta"');
  });
});

describe('what @Type() would guess', () => {
  class Cat {
    @IsString()
    kind!: string;

    @IsInt()
    @Type(() => Number)
    lives!: number;
  }
  class Dto {
    @IsOptional()
    @IsNumber()
    @Type(() => Number)
    count?: number;

    @IsOptional()
    @Min(1)
    @Type(() => Number)
    page?: number;

    @IsOptional()
    @IsNumber({}, { each: true })
    @Type(() => Number)
    counts?: number[];

    @IsOptional()
    @IsBoolean()
    @Type(() => Boolean)
    flag?: boolean;

    @IsOptional()
    @IsString()
    @Type(() => String)
    text?: string;

    @IsOptional()
    @IsDate()
    @Type(() => Date)
    @ApiPropertyOptional({ type: 'string' })
    at?: Date;

    @IsOptional()
    @IsDate()
    @ApiPropertyOptional({ type: 'string', format: 'date' })
    day?: Date;

    @IsOptional()
    @IsNumber()
    @Type(() => Number)
    @ApiPropertyOptional({ type: 'string' })
    digits?: number;

    @IsOptional()
    @ValidateNested()
    @Type(() => Object, {
      discriminator: { property: 'kind', subTypes: [{ name: 'cat', value: Cat }] },
      keepDiscriminatorProperty: true,
    })
    pet?: Cat;
  }

  it.each([
    [{ count: '' }, 'count: must be a number'],
    [{ count: '0x10' }, 'count: must be a number'],
    [{ count: true }, 'count: must be a number'],
    [{ page: '' }, 'page: must be a number'],
    [{ counts: [1, ''] }, 'counts.1: must be a number'],
    [{ flag: 'no' }, 'flag: must be a boolean'],
    [{ flag: 1 }, 'flag: must be a boolean'],
    [{ text: { a: 1 } }, 'text: must be a string'],
    [{ text: 5 }, 'text: must be a string'],
    [{ at: 5 }, 'at: must be a'],
    [{ at: true }, 'at: must be a'],
    [{ at: '05/06/2026' }, 'at: must be an ISO 8601 date'],
    [{ day: '05/06/2026' }, 'day: must be an ISO 8601 date'],
    [{ digits: '' }, 'digits: must be a number'],
    [{ digits: '0x10' }, 'digits: must be a number'],
    [{ pet: { kind: 'cat', lives: '' } }, 'pet.lives: must be'],
    [{ pet: { kind: 'cat', lives: true } }, 'pet.lives: must be'],
  ])('is refused: %j', async (input, message) => {
    expect(await validate(Dto, input)).toEqual([expect.stringContaining(message)]);
  });

  it('is taken where it is what it says', async () => {
    const dto = await validate(Dto, {
      count: 1,
      counts: [1.5],
      flag: false,
      text: '',
      at: '2026-05-06',
      day: '2026-05-06',
      digits: '-1.5e2',
      pet: { kind: 'cat', lives: 9 },
    });
    expect(dto).toMatchObject({ flag: false, day: new Date('2026-05-06'), digits: -150 });
    expect((dto as Dto).pet).toBeInstanceOf(Cat);
  });
});

describe('a nested class', () => {
  class Dto {
    @ValidateNested()
    @Type(() => Meta)
    one!: Meta;

    @ValidateNested({ each: true })
    @Type(() => Meta)
    many!: Meta[];
  }
  const meta = { name: 'a' };

  it.each([
    [{}, ['one: is required', 'many: is required']],
    [{ one: [], many: [] }, ['one: must be an object']],
    [{ one: [meta], many: [] }, ['one: must be an object']],
    [{ one: meta, many: meta }, ['many: must be an array']],
    [{ one: meta, many: [[meta]] }, ['many.0: must be an object']],
    [{ one: meta, many: [null, 'x'] }, ['many.0: must be an object', 'many.1: must be an object']],
    [{ one: null, many: null }, ['one: must be an object', 'many: must be an array']],
    [{ one: 'x', many: 'x' }, ['one: must be an object', 'many: must be an array']],
  ])('is one object or an array of them: %j', async (input, problems) => {
    expect(await validate(Dto, input)).toEqual(problems);
  });
});

describe('what the class does not show', () => {
  it('gets to no setter, and the other problems are told, too', async () => {
    let hits = 0;
    class Inner {
      @IsString()
      name!: string;

      set evil(_: unknown) {
        hits++;
      }
    }
    class Documented {
      @ApiProperty()
      name!: string;

      set evil(_: unknown) {
        hits++;
      }
    }
    class Dto {
      @ValidateNested({ each: true })
      @Type(() => Inner)
      inner!: Inner[];

      @IsNotEmpty()
      documented!: Documented;

      set evil(_: unknown) {
        hits++;
      }
    }
    const input = {
      inner: [{ name: 1, evil: 1 }],
      documented: { name: 'a', evil: 1 },
      evil: 1,
    };
    expect(await validate(Dto, input)).toEqual([
      'inner.0.name: name must be a string',
      'evil: property evil should not exist',
      'inner.0.evil: property evil should not exist',
      'documented.evil: property evil should not exist',
    ]);
    expect(hits).toBe(0);
    expect(input.evil).toBe(1);
  });
});

describe('a numeric enum', () => {
  enum Level {
    Low,
    High = 5,
  }
  class Dto {
    @IsEnum(Level)
    level!: Level;

    @IsOptional()
    @IsEnum(Level, { each: true })
    levels?: Level[];

    @IsOptional()
    @IsIn([1, null])
    maybe?: number | null;
  }

  it('does not take the names of its members, which the library does', async () => {
    expect(await validate(Dto, { level: 5, levels: [0], maybe: null })).toBeInstanceOf(Dto);
    expect(await validate(Dto, { level: 'Low', levels: ['High'] })).toEqual([
      'level: must be one of [0,5]',
      'levels.0: must be one of [0,5]',
    ]);
  });
});

describe('a required property', () => {
  it('is one whose rules refuse that it is missing, whatever @ApiProperty() says', async () => {
    class Dto {
      @ApiProperty({ required: false })
      @IsString()
      text?: string;

      @ApiPropertyOptional()
      @IsNotEmpty()
      filled?: string;

      @ApiPropertyOptional({ default: 'a' })
      @IsString()
      defaulted?: string;

      @ApiPropertyOptional()
      @IsString()
      initial = 'a';
    }
    expect(schemaOf(Dto).required).toEqual(['text', 'filled']);
    expect(await validate(Dto, { text: 'a', filled: 'a' })).toMatchObject({ defaulted: 'a' });
  });
});

describe('code of the application that throws', () => {
  class Dto {
    @IsString()
    @Transform(({ value }: { value: string }) => value.toLowerCase())
    text!: string;

    @IsOptional()
    @IsInt()
    count?: number;
  }

  it('in a @Transform() makes the input unreadable, and what is wrong with it is told', async () => {
    expect(await validate(Dto, { text: 5 })).toEqual(['text: must be a string']);
    expect(await validate(Dto, { text: 5, count: 'x', other: 1 })).toEqual([
      'other: property other should not exist',
      'text: must be a string',
      'count: must be an integer',
    ]);
    class Odd {
      @IsString()
      @Transform(({ value }: { value: string }) => BigInt(value).toString())
      digits!: string;
    }
    expect(await validate(Odd, { digits: '5' })).toEqual({ digits: '5' });
    expect(await validate(Odd, { digits: 'five' })).toEqual([': cannot be read']);
  });

  it('in a rule does not hide that the value has another type, and is an error otherwise', async () => {
    const validator = {
      validate: (value: string) => {
        if (value === 'down') throw new Error('The database is down.');
        return value.length > 2;
      },
    };
    class Ruled {
      @ValidateBy({ name: 'isKnown', validator })
      id!: string;
    }
    expect(await validate(Ruled, {})).toEqual(['id: is required']);
    expect(await validate(Ruled, { id: null })).toEqual(['id: must be a string']);
    expect(await validate(Ruled, { id: 'a' })).toEqual(['id: breaks the rule "isKnown"']);
    await expect(validate(Ruled, { id: 'down' })).rejects.toThrow('The database is down.');
  });
});
