import { describe, expect, it } from '@jest/globals';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsDate, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
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
