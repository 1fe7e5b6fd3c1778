import { describe, expect, it } from '@jest/globals';
import { ApiProperty, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { Allow, IsInt, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { createSchema } from '../../../libs/agent-tools/src/schemas/tool-schema.factory.js';
import { schemaOf, validate } from './support/describe.js';

class Place {
  @ApiProperty({ minLength: 2 })
  city!: string;

  shout() {
    return this.city.toUpperCase();
  }
}

describe('a class that only @ApiProperty() describes', () => {
  class Order {
    @ApiProperty({ minimum: 1 })
    count!: number;

    @ApiProperty({ type: () => [Place], required: false })
    places?: Place[];

    @ApiProperty({ required: false, nullable: true, type: String })
    note?: string | null;

    state = 'new';
  }

  it('is made an instance of', async () => {
    const order = (await validate(Order, {
      count: 1,
      places: [{ city: 'Bern' }],
      note: null,
    })) as Order;
    expect(order).toBeInstanceOf(Order);
    expect(order.places?.[0].shout()).toBe('BERN');
    expect(order.state).toBe('new');
    expect(createSchema(Order).source).toBe('swagger');
  });

  it('is checked against its schema, unknown properties included', async () => {
    expect(
      await validate(Order, { count: 0, places: [{ city: 'B', x: 1 }], state: 'old' }),
    ).toEqual([
      expect.stringMatching(/^count: must be >= 1/),
      expect.stringMatching(/^places\.0\.city: /),
      'state: property state should not exist',
      'places.0.x: property x should not exist',
    ]);
    expect(await validate(Order, {})).toEqual([expect.stringMatching(/^count: is required/)]);
    expect(await validate(Order, 'order')).toEqual([': must be an object']);
  });

  it('makes instances of what its nested classes hold, too', async () => {
    class Visit {
      @ApiProperty()
      at!: Date;

      @ApiProperty()
      place!: Place;
    }
    class Trip {
      @ApiProperty({ type: [Visit] })
      visits!: Visit[];
    }
    const at = '2024-01-31T00:00:00Z';
    const trip = (await validate(Trip, { visits: [{ at, place: { city: 'Bern' } }] })) as Trip;
    expect(trip.visits[0].at).toEqual(new Date(at));
    expect(trip.visits[0].place.shout()).toBe('BERN');
  });

  it('may hold itself', async () => {
    class Branch {
      @ApiProperty({ maxLength: 3 })
      name!: string;

      @ApiProperty({ type: () => [Branch], required: false })
      branches?: Branch[];
    }
    const branch = await validate(Branch, { name: 'a', branches: [{ name: 'b' }] });
    expect((branch as Branch).branches?.[0]).toBeInstanceOf(Branch);
    expect(await validate(Branch, { name: 'a', branches: [{ name: 'long' }] })).toEqual([
      expect.stringMatching(/^branches\.0\.name: /),
    ]);
  });

  it('may come through PartialType(), which adds nothing but @IsOptional()', async () => {
    class Change extends PartialType(Order) {}
    expect(await validate(Change, {})).toBeInstanceOf(Change);
    expect(await validate(Change, { count: null })).toBeInstanceOf(Change);
    expect(await validate(Change, { count: 'x', other: 1 })).toEqual([
      expect.stringMatching(/^count: must be number/),
      'other: property other should not exist',
    ]);
  });
});

describe('a class that only the swagger plugin describes', () => {
  class Order {
    count!: number;
    place!: Place;
    static _OPENAPI_METADATA_FACTORY() {
      return {
        count: { required: true, type: () => Number, minimum: 1 },
        place: { required: true, type: () => Place },
      };
    }
  }

  it('works in the same way', async () => {
    const order = (await validate(Order, { count: 1, place: { city: 'Bern' } })) as Order;
    expect(order.place.shout()).toBe('BERN');
    expect(await validate(Order, { count: 0 })).toHaveLength(2);
  });
});

describe('a class with both', () => {
  class Inner {
    @IsInt()
    @Min(1)
    rules!: number;

    @ApiProperty()
    api!: string;
  }
  class OnlyApi {
    @ApiProperty()
    text!: string;
  }
  class Dto {
    @IsString()
    rules!: string;

    @ApiProperty({ maxLength: 3 })
    api!: string;

    @Allow()
    anything?: string;

    @IsOptional()
    @ValidateNested({ each: true })
    @Type(() => Inner)
    inner?: Inner[];

    @IsOptional()
    @ValidateNested()
    @Type(() => OnlyApi)
    onlyApi?: OnlyApi;

    @IsOptional()
    @ValidateNested()
    @Type(() => Dto)
    again?: Dto;
  }

  it('lets everything be set', async () => {
    const input = { rules: 'a', api: 'b', inner: [{ rules: 1, api: 'c' }], onlyApi: { text: 'd' } };
    const dto = (await validate(Dto, { ...input, again: input })) as Dto;
    expect(dto).toEqual({ ...input, again: input });
    expect(dto.again?.inner?.[0]).toBeInstanceOf(Inner);
    expect(dto.onlyApi).toBeInstanceOf(OnlyApi);
  });

  it('checks each property in its own way, each problem once', async () => {
    expect(
      await validate(Dto, {
        rules: 1,
        api: 'long',
        inner: [{ rules: 0, api: 1, x: 1 }],
        onlyApi: { text: 1 },
        again: { rules: 'a', api: 1 },
      }),
    ).toEqual([
      'rules: rules must be a string',
      'inner.0.rules: rules must not be less than 1',
      expect.stringMatching(/^api: /),
      expect.stringMatching(/^inner\.0\.api: /),
      expect.stringMatching(/^onlyApi\.text: /),
      expect.stringMatching(/^again\.api: /),
      'inner.0.x: property x should not exist',
    ]);
  });

  it('takes what @Allow() allows, of the type that is shown', async () => {
    expect(schemaOf(Dto).required).toEqual(['rules', 'api']);
    expect(await validate(Dto, { rules: 'a', api: 'b', anything: 'c' })).toMatchObject({
      anything: 'c',
    });
    expect(await validate(Dto, { rules: 'a', api: 'b', anything: { c: 1 } })).toEqual([
      'anything: must be a string',
    ]);
  });
});

describe('a variant of a nested class', () => {
  it('is checked by what it says itself', async () => {
    class Dog {
      @ApiProperty({ maxLength: 3 })
      name!: string;
    }
    class Cat {
      @IsString()
      name!: string;
    }
    class Owner {
      @ValidateNested()
      @Type(() => Object, {
        discriminator: {
          property: 'kind',
          subTypes: [
            { value: Dog, name: 'dog' },
            { value: Cat, name: 'cat' },
          ],
        },
      })
      pet!: Dog | Cat;
    }
    const owner = (await validate(Owner, { pet: { kind: 'dog', name: 'Rex' } })) as Owner;
    expect(owner.pet).toBeInstanceOf(Dog);
    expect(await validate(Owner, { pet: { kind: 'cat', name: 'Minka' } })).toBeInstanceOf(Owner);
    expect(await validate(Owner, { pet: { kind: 'dog', name: 'Hasso' } })).toEqual([
      expect.stringMatching(/^pet\.name: /),
    ]);
  });
});
