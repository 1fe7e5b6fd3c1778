import { describe, expect, it } from '@jest/globals';
import * as mapped from '@nestjs/mapped-types';
import * as swagger from '@nestjs/swagger';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  getMetadataStorage,
  IsArray,
  IsDate,
  IsInt,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import { rulesOf } from '../../../libs/agent-tools/src/schemas/sources/dto/class-validator.storage.js';
import { problemOf, schemaOf, validate } from './support/describe.js';

class Place {
  @ApiProperty()
  @IsString()
  city!: string;
}
class Order {
  @ApiProperty()
  @IsString()
  text!: string;

  @ApiProperty({ type: 'integer', minimum: 1, required: false })
  @IsInt()
  @Min(1)
  count: number = 2;

  @ApiProperty()
  @ValidateNested()
  @Type(() => Place)
  place!: Place;

  @ApiProperty({ type: [String] })
  @IsArray()
  @IsString({ each: true })
  tags!: string[];

  @ApiProperty()
  @IsDate()
  @Type(() => Date)
  at!: Date;
}
class Customer {
  @ApiProperty()
  @IsString()
  name!: string;
}

const PROPERTIES = {
  text: { type: 'string' },
  count: { type: 'integer', minimum: 1, default: 2 },
  place: { $ref: '#/$defs/Place' },
  tags: { type: 'array', items: { type: 'string' } },
  at: { type: 'string', format: 'date-time' },
};
const VALUES = {
  text: 'a',
  place: { city: 'Bern' },
  tags: ['a'],
  at: '2024-01-31T00:00:00Z',
};

describe.each([
  ['@nestjs/mapped-types', mapped as unknown as typeof swagger],
  ['@nestjs/swagger', swagger],
])('the mapped types of %s', (_name, { PartialType, PickType, OmitType, IntersectionType }) => {
  class Partial extends PartialType(Order) {}
  class Picked extends PickType(Order, ['count', 'place'] as const) {}
  class Omitted extends OmitType(Order, ['count', 'place', 'at'] as const) {}
  class Both extends IntersectionType(Order, Customer) {}
  class PartialOfPicked extends PartialType(PickType(Order, ['text', 'place'] as const)) {
    @ApiProperty()
    @IsString()
    own!: string;
  }

  it('are described as what they make of a class', () => {
    expect(schemaOf(Partial)).toMatchObject({ properties: PROPERTIES });
    expect(schemaOf(Partial).required).toBeUndefined();
    expect(schemaOf(Picked).properties).toEqual({
      count: PROPERTIES.count,
      place: PROPERTIES.place,
    });
    expect(schemaOf(Picked).required).toEqual(['place']);
    expect(schemaOf(Omitted).properties).toEqual({ text: PROPERTIES.text, tags: PROPERTIES.tags });
    expect(schemaOf(Both).properties).toEqual({ ...PROPERTIES, name: { type: 'string' } });
    expect(new Set(schemaOf(Both).required)).toEqual(
      new Set(['text', 'place', 'tags', 'at', 'name']),
    );
    expect(schemaOf(PartialOfPicked)).toMatchObject({
      properties: { text: PROPERTIES.text, place: PROPERTIES.place, own: { type: 'string' } },
      required: ['own'],
    });
  });

  it('are validated, and become instances', async () => {
    const both = (await validate(Both, { ...VALUES, name: 'Ann' })) as InstanceType<typeof Both>;
    expect(both).toBeInstanceOf(Both);
    expect(both).toMatchObject({ count: 2, at: new Date(VALUES.at) });
    expect(both.place).toBeInstanceOf(Place);
    expect(await validate(Partial, {})).toMatchObject({ count: 2 });
    expect(await validate(Picked, { place: { city: 1 }, text: 'a' })).toEqual([
      'place.city: city must be a string',
      'text: property text should not exist',
    ]);
  });
});

describe('inheritance', () => {
  it('takes what the base says, where the class itself says nothing', async () => {
    class Special extends Order {
      @IsString()
      extra!: string;
    }
    expect(schemaOf(Special).properties).toEqual({ ...PROPERTIES, extra: { type: 'string' } });
    expect(await validate(Special, { ...VALUES, extra: 'x' })).toBeInstanceOf(Special);
  });

  it('finds the rules that the library finds', () => {
    class Middle extends Order {
      @IsInt()
      middle!: number;
    }
    class Last extends Middle {
      @IsString()
      last!: string;
    }
    class Replacing extends (Last as new () => object) {
      @IsInt()
      text!: number;

      @IsString()
      count!: string;
    }
    for (const target of [Place, Order, Middle, Last, Replacing, class extends Last {}]) {
      const theirs = getMetadataStorage().getTargetValidationMetadatas(target, '', false, false);
      expect(new Set(rulesOf(target))).toEqual(new Set(theirs));
      expect(rulesOf(target)).toHaveLength(theirs.length);
    }
  });

  it('replaces all rules of a property that has new ones, as the library does', async () => {
    class Strict extends (Order as new () => object) {
      @IsInt()
      @Min(5)
      count: number = 5;
    }
    const { properties } = schemaOf(Strict);
    // @ApiProperty() of the base is still there, and wins.
    expect(properties.count).toEqual({ type: 'integer', minimum: 1, default: 5 });
    expect(await validate(Strict, { ...VALUES, count: 4 })).toEqual([
      'count: count must not be less than 5',
    ]);
  });
});

describe('a mapped type of nothing that is known', () => {
  it('is told', () => {
    class Plain {
      text!: string;
    }
    class Mapped extends mapped.PartialType(Plain) {}
    expect(problemOf(Mapped)).toContain('Class "Mapped" (Mapped) has no class-validator decorator');
  });
});
