import { describe, expect, it } from '@jest/globals';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayUnique, IsString, ValidateNested } from 'class-validator';
import { problemOf, schemaOf, validate } from './support/describe.js';

class Place {
  @ApiProperty()
  city!: string;
}
class Named {
  @ApiProperty({ required: false })
  name?: string;
}

describe('what @ApiProperty() writes in OpenAPI', () => {
  it('is brought into JSON Schema', () => {
    @ApiExtraModels(Place, Named)
    class Dto {
      @ApiProperty({ allOf: [{ $ref: getSchemaPath(Place) }], description: 'Where.' })
      one!: unknown;

      @ApiProperty({ allOf: [{ $ref: getSchemaPath(Place) }, { $ref: getSchemaPath(Named) }] })
      both!: unknown;

      @ApiProperty({ oneOf: [{ $ref: getSchemaPath(Place) }, { type: 'string', nullable: true }] })
      either!: unknown;

      @ApiProperty({ type: [String], minLength: 2, format: 'uuid', minItems: 1 })
      ids!: string[];

      @ApiProperty({ type: 'array', items: { type: 'number', minimum: 0, exclusiveMinimum: true } })
      prices!: number[];

      @ApiProperty({ type: () => [[Place]] })
      grid!: Place[][];
    }
    const place = { $ref: '#/$defs/Place' };
    expect(schemaOf(Dto).properties).toEqual({
      one: { ...place, description: 'Where.' },
      both: {
        type: 'object',
        properties: { city: { type: 'string' }, name: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      },
      either: { oneOf: [place, { type: ['string', 'null'] }] },
      ids: { type: 'array', minItems: 1, items: { type: 'string', minLength: 2, format: 'uuid' } },
      prices: { type: 'array', items: { type: 'number', exclusiveMinimum: 0 } },
      grid: { type: 'array', items: { type: 'array', items: place } },
    });
  });

  it('must have types that JSON Schema knows', () => {
    class Dto {
      @ApiProperty({ type: 'array', items: { type: 'money' as never } })
      prices!: unknown[];
    }
    expect(problemOf(Dto)).toBe(
      'The @ApiProperty() of "Dto.prices" has the type "money", which OpenAPI does not know. Use a ' +
        'class with `type: () => Class`, or the name of a JSON type.',
    );
  });
});

describe('what the plugin says', () => {
  it('about a property of the base is replaced by the class', () => {
    class Base {
      name!: string;
      static _OPENAPI_METADATA_FACTORY(): object {
        return {
          name: { required: true, type: () => String, minLength: 1 },
          note: { required: false, type: () => String },
        };
      }
    }
    class Derived extends Base {
      static override _OPENAPI_METADATA_FACTORY() {
        return { name: { required: true, type: () => String, minLength: 5 } };
      }
    }
    expect(schemaOf(Derived)).toMatchObject({
      properties: { name: { type: 'string', minLength: 5 }, note: { type: 'string' } },
      required: ['name'],
    });
  });
});

describe('@ArrayUnique() on objects', () => {
  it('is told in words: the library compares them by identity', async () => {
    class Item {
      @IsString()
      text!: string;
    }
    class Dto {
      @ArrayUnique()
      @ValidateNested({ each: true })
      @Type(() => Item)
      items!: Item[];
    }
    expect(schemaOf(Dto).properties.items).toEqual({
      type: 'array',
      items: { $ref: '#/$defs/Item' },
      description: 'items must be unique',
    });
    const twice = { items: [{ text: 'a' }, { text: 'a' }] };
    expect(await validate(Dto, twice)).toBeInstanceOf(Dto);
  });
});
