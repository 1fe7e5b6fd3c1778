import { describe, expect, it } from '@jest/globals';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsDate, IsEmail, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import * as mapped from '@nestjs/mapped-types';
import * as swagger from '@nestjs/swagger';
import { fromDtoClass } from '../../../libs/agent-tools/src/schemas/sources/dto-class.source.js';

async function validate(target: unknown, value: object) {
  const schema = fromDtoClass(target);
  const result = await schema?.['~standard'].validate(value);
  return result?.issues
    ? result.issues.map(({ path = [], message }) => `${path.join('.')}: ${message}`)
    : (result as { value: unknown }).value;
}

class Inner {
  @ApiPropertyOptional({ default: 'kg' })
  @IsOptional()
  @IsString()
  unit?: string;
}

class Dto {
  @ApiPropertyOptional({ default: 10 })
  @IsOptional()
  @IsInt()
  limit?: number;

  @ApiPropertyOptional({ default: ['a'], type: [String] })
  @IsOptional()
  @IsString({ each: true })
  tags?: string[];

  @IsOptional()
  @IsInt()
  page = 1;

  @ApiPropertyOptional({ default: 'x' })
  @IsOptional()
  @IsString()
  @Transform(({ value }: { value?: string }) => value?.toUpperCase())
  shout?: string;

  @ApiProperty({ type: [Inner] })
  @ValidateNested({ each: true })
  @Type(() => Inner)
  parts!: Inner[];
}

describe('a default that only the description declares', () => {
  it('is filled in, in nested objects, too, and each call has its own', async () => {
    const input = { parts: [{}, { unit: 'g' }] };
    const first = (await validate(Dto, input)) as Dto;
    expect(first).toEqual(
      Object.assign(new Dto(), {
        limit: 10,
        tags: ['a'],
        page: 1,
        parts: [
          Object.assign(new Inner(), { unit: 'kg' }),
          Object.assign(new Inner(), { unit: 'g' }),
        ],
      }),
    );
    expect(input).toEqual({ parts: [{}, { unit: 'g' }] });
    first.tags?.push('b');
    expect(((await validate(Dto, input)) as Dto).tags).toEqual(['a']);
  });

  it('is not filled in where the class transforms what comes in', async () => {
    expect(((await validate(Dto, { parts: [] })) as Dto).shout).toBeUndefined();
  });
});

describe('a default that came through a mapped type', () => {
  class Create {
    @ApiPropertyOptional({ default: 'low' })
    @IsOptional()
    @IsString()
    priority?: string;

    @ApiPropertyOptional({ default: 3 })
    @IsInt()
    count?: number;

    @ApiPropertyOptional({ default: 'x' })
    documented?: string;
  }
  class Part {
    @ApiPropertyOptional({ default: 'kg' })
    unit?: string;
  }
  class Plugin {
    mode?: string;
    static _OPENAPI_METADATA_FACTORY() {
      return { mode: { required: false, type: () => String, default: 'fast' } };
    }
  }

  it('is filled in for the class that declares it, and for one that extends it', async () => {
    class Extended extends Create {}
    const all = { priority: 'low', count: 3, documented: 'x' };
    expect(await validate(Create, {})).toEqual(all);
    expect(await validate(Extended, {})).toEqual(all);
    expect(await validate(Plugin, {})).toEqual({ mode: 'fast' });
  });

  it.each([
    ['PartialType', swagger.PartialType(Create)],
    [
      'PickType of PartialType',
      swagger.PickType(swagger.PartialType(Create), ['priority'] as const),
    ],
    ['IntersectionType', swagger.IntersectionType(swagger.PartialType(Create), Part)],
    ['PartialType for the plugin', swagger.PartialType(Plugin)],
    ['PartialType of mapped-types', mapped.PartialType(Create)],
  ])('overwrites nothing in the input of an update: %s', async (_, base) => {
    class Update extends (base as new () => object) {}
    expect(Object.entries((await validate(Update, {})) as object)).toEqual([]);
  });

  it('is told in words', () => {
    class Update extends swagger.PartialType(Create) {}
    const properties = fromDtoClass(Update)?.jsonSchema.properties;
    expect(properties?.priority).toEqual({ type: 'string', description: 'default: "low"' });
    expect(properties?.count).toEqual({ type: 'integer', description: 'default: 3' });
  });
});

describe('a default that the rules refuse', () => {
  it('is not filled in', async () => {
    class Mail {
      @ApiPropertyOptional({ default: '' })
      @IsOptional()
      @IsEmail()
      mail?: string;

      @ApiPropertyOptional({ default: 'now' })
      @IsOptional()
      @IsDate()
      @Type(() => Date)
      at?: Date;

      @ApiPropertyOptional({ default: 'many' })
      count?: number;
    }
    expect(await validate(Mail, {})).toEqual(new Mail());
    expect(fromDtoClass(Mail)?.jsonSchema.properties?.mail).not.toHaveProperty('default');
  });
});

describe('a date', () => {
  class When {
    @IsDate()
    @Type(() => Date)
    at!: Date;

    @IsOptional()
    @ValidateNested()
    @Type(() => When)
    next?: When;
  }

  it.each(['2026-05-06', '2026-05-06T10:00:00Z', '2026-05-06T10:00:00.123+02:00'])(
    'may be %s',
    async (at) => {
      expect(((await validate(When, { at })) as When).at).toEqual(new Date(at));
    },
  );

  it.each(['05/06/2026', '6 May 2026', '2026-02-30', '2026-05-06T10:00:00', '2026', 'now'])(
    'is not guessed from %s',
    async (at) => {
      expect(await validate(When, { at: '2026-05-06', next: { at } })).toEqual([
        expect.stringMatching(/^next\.at: .*(ISO 8601|Date instance)/),
      ]);
    },
  );
});
