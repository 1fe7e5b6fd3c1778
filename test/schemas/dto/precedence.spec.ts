import { describe, expect, it } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import {
  IsEnum,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsPositive,
  IsString,
  IsUrl,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  registerDecorator,
  ValidateIf,
} from 'class-validator';
import { schemaOf, validate } from './support/describe.js';
import { swaggerSchemaOf } from './support/swagger.document.js';

describe('what several sources say about a property', () => {
  it('is taken from @ApiProperty(), then class-validator, then the plugin, then the design type', () => {
    class Dto {
      @ApiProperty({ minimum: 2 })
      @Min(1)
      @Max(8)
      api!: number;

      @Min(1)
      rules!: number;

      plugin!: number;

      @ApiProperty()
      design!: number;

      static _OPENAPI_METADATA_FACTORY() {
        return {
          api: { required: true, type: () => String, minimum: 3, maximum: 9, multipleOf: 5 },
          rules: { required: false, type: () => Number, minimum: 3, description: 'Rules.' },
          plugin: { required: false, type: () => Number, minimum: 3 },
        };
      }
    }
    const { properties, required } = schemaOf(Dto);
    expect(properties).toEqual({
      api: { type: 'number', minimum: 2, maximum: 8, multipleOf: 5 },
      rules: { type: 'number', minimum: 1, description: 'Rules.' },
      plugin: { type: 'number', minimum: 3 },
      design: { type: 'number' },
    });
    expect(required).toEqual(['api', 'rules', 'design']);
  });

  it('is the same after swagger has made its document, which stores the plugin’s part', () => {
    function dto() {
      class Dto {
        @Min(1)
        rules!: number;

        @ApiProperty({ description: 'Written.' })
        @IsInt()
        api!: number;

        static _OPENAPI_METADATA_FACTORY() {
          return {
            rules: { required: false, type: () => Number, minimum: 3 },
            api: { required: true, type: () => Number, description: 'Comment.', maximum: 5 },
          };
        }
      }
      return Dto;
    }
    const before = dto();
    const after = dto();
    swaggerSchemaOf(after);
    expect(schemaOf(after)).toEqual(schemaOf(before));
    expect(schemaOf(after).properties).toEqual({
      rules: { type: 'number', minimum: 1 },
      api: { type: 'integer', maximum: 5, description: 'Written.' },
    });
  });

  it('puts rules that no keyword says behind the description', () => {
    class Dto {
      @ApiProperty({ description: 'The home page.' })
      @IsUrl()
      @MaxLength(9)
      page!: string;
    }
    expect(schemaOf(Dto).properties.page).toEqual({
      type: 'string',
      maxLength: 9,
      description: 'The home page. (must be a URL address)',
    });
  });
});

describe('several rules on a property', () => {
  it('are all described, the narrower one where two say the same', async () => {
    class Dto {
      @MinLength(2)
      @MinLength(4)
      @MaxLength(9)
      @MaxLength(7)
      @Matches(/^a/)
      @Matches(/z$/)
      text!: string;

      @IsPositive()
      @IsInt()
      @Min(-5)
      count!: number;
    }
    expect(schemaOf(Dto).properties).toEqual({
      text: {
        type: 'string',
        minLength: 4,
        maxLength: 7,
        pattern: 'z$',
        description: 'must match /^a/ regular expression',
      },
      count: { type: 'integer', minimum: -5, exclusiveMinimum: 0 },
    });
  });

  it('hold whatever groups they name, as the library has it without groups', async () => {
    class Dto {
      @MinLength(2, { groups: ['create'] })
      @MaxLength(3, { groups: ['update'] })
      @IsNotEmpty({ always: true })
      text!: string;
    }
    expect(schemaOf(Dto).properties.text).toEqual({ type: 'string', minLength: 2, maxLength: 3 });
    expect(await validate(Dto, { text: 'a' })).toEqual([expect.stringContaining('longer than')]);
    expect(await validate(Dto, { text: 'abcd' })).toEqual([
      expect.stringContaining('shorter than'),
    ]);
  });

  it('are told in words if they hold only in some cases', async () => {
    class Dto {
      @IsString()
      @MinLength(3, { validateIf: ({ isLong }) => isLong === true })
      text!: string;

      @IsOptional()
      isLong?: boolean;
    }
    expect(schemaOf(Dto).properties.text).toEqual({
      type: 'string',
      description: 'must be longer than or equal to 3 characters (in some cases)',
    });
    expect(await validate(Dto, { text: 'a' })).toBeInstanceOf(Dto);
  });

  it('of the application are told in its words, and never run or trusted to have some', () => {
    const custom = (name: string, validator: object) => (target: object, propertyName: string) =>
      registerDecorator({
        name,
        target: target.constructor,
        propertyName,
        validator: validator as never,
      });
    const fail = () => {
      throw new Error('Not before the boot.');
    };
    class Dto {
      @IsString()
      @custom('isSku', { validate: fail, defaultMessage: () => '$property must be a known SKU' })
      sku!: string;

      @IsString()
      @custom('isQuiet', { validate: fail, defaultMessage: fail })
      quiet!: string;
    }
    expect(schemaOf(Dto).properties).toEqual({
      sku: { type: 'string', description: 'must be a known SKU' },
      quiet: { type: 'string' },
    });
  });
});

describe('a property that may be missing', () => {
  it('is one with @IsOptional() or @ValidateIf(); null is not described unless somebody says so', async () => {
    class Dto {
      @IsOptional()
      @IsString()
      optional?: string;

      @ValidateIf((_, value) => value !== undefined)
      @IsString()
      condition?: string;

      @ApiProperty({ nullable: true })
      @IsOptional()
      @IsString()
      nullable?: string;
    }
    const { properties, required } = schemaOf(Dto);
    expect(required).toBeUndefined();
    expect(properties).toEqual({
      optional: { type: 'string' },
      condition: { type: 'string' },
      nullable: { type: ['string', 'null'] },
    });
    expect(await validate(Dto, { optional: null })).toBeInstanceOf(Dto);
  });
});

describe('enums', () => {
  enum Text {
    A = 'a',
    B = 'b',
  }
  enum Numeric {
    Low,
    High = 5,
  }
  enum Mixed {
    Text = 'text',
    Number = 2,
  }
  class Dto {
    @IsEnum(Text)
    text!: Text;

    @IsEnum(Numeric)
    numeric!: Numeric;

    @IsEnum(Mixed)
    mixed!: Mixed;

    @IsEnum(Numeric, { each: true })
    list!: Numeric[];

    @IsOptional()
    @IsEnum(['x', 'y'])
    letters?: string;

    @IsOptional()
    @ApiProperty({ enum: () => Mixed })
    lazy?: Mixed;
  }

  it('are described by their values, never by the names of numeric members', async () => {
    const mixed = { type: ['string', 'number'], enum: ['text', 2] };
    expect(schemaOf(Dto).properties).toEqual({
      text: { type: 'string', enum: ['a', 'b'] },
      numeric: { type: 'number', enum: [0, 5] },
      mixed,
      list: { type: 'array', items: { type: 'number', enum: [0, 5] } },
      letters: { type: 'string', enum: ['x', 'y'] },
      lazy: mixed,
    });
    expect(await validate(Dto, { text: 'a', numeric: 5, mixed: 2, list: [0], lazy: 'x' })).toEqual([
      expect.stringContaining('lazy: '),
    ]);
  });
});
