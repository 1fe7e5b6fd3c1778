import { describe, expect, it } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { schemaOf, validate } from './support/describe.js';

class City {
  @IsString()
  name!: string;

  shout() {
    return this.name.toUpperCase();
  }
}

/** Without rules of its own. */
class Country {
  @ApiProperty()
  name!: string;

  shout() {
    return this.name.toUpperCase();
  }
}

function classNamed(name: string, decorate: (prototype: object) => void): new () => object {
  const target = { [name]: class {} }[name];
  decorate(target.prototype);
  return target;
}

describe('a nested class', () => {
  it('is one definition, however often it is used', () => {
    class Trip {
      @ValidateNested()
      @Type(() => City)
      from!: City;

      @ValidateNested({ each: true })
      @Type(() => City)
      via!: City[];
    }
    expect(schemaOf(Trip)).toEqual({
      type: 'object',
      properties: {
        from: { $ref: '#/$defs/City' },
        via: { type: 'array', items: { $ref: '#/$defs/City' } },
      },
      required: ['from', 'via'],
      additionalProperties: false,
      $defs: {
        City: {
          type: 'object',
          properties: { name: { type: 'string' } },
          required: ['name'],
          additionalProperties: false,
        },
      },
    });
  });

  it('gets a name of its own if another one has the same', () => {
    const text = classNamed('Geo', (prototype) => IsString()(prototype, 'text'));
    const number = classNamed('Geo', (prototype) => IsInt()(prototype, 'number'));
    class Places {
      @ValidateNested()
      @Type(() => text)
      a!: object;

      @ValidateNested()
      @Type(() => number)
      b!: object;
    }
    const { properties, $defs } = schemaOf(Places);
    expect(properties).toEqual({ a: { $ref: '#/$defs/Geo' }, b: { $ref: '#/$defs/Geo2' } });
    expect($defs?.Geo.properties).toEqual({ text: { type: 'string' } });
    expect($defs?.Geo2.properties).toEqual({ number: { type: 'integer' } });
  });

  it('may have the name of the root, or none', () => {
    const inner = classNamed('Outer', (prototype) => IsString()(prototype, 'text'));
    const nameless = classNamed('', (prototype) => IsString()(prototype, 'text'));
    class Outer {
      @ValidateNested()
      @Type(() => inner)
      a!: object;

      @ValidateNested()
      @Type(() => nameless)
      b!: object;
    }
    expect(schemaOf(Outer).properties).toEqual({
      a: { $ref: '#/$defs/Outer' },
      b: { $ref: '#/$defs/Class' },
    });
  });

  it('may lead back to itself over another one', async () => {
    class Ping {
      @IsOptional()
      @ValidateNested()
      @Type(() => Pong)
      pong?: object;
    }
    class Pong {
      @IsOptional()
      @ValidateNested()
      @Type(() => Ping)
      ping?: object;

      @IsOptional()
      @ValidateNested()
      @Type(() => Pong)
      pong?: object;
    }
    const { properties, $defs } = schemaOf(Ping);
    expect(properties).toEqual({ pong: { $ref: '#/$defs/Pong' } });
    expect($defs?.Pong.properties).toEqual({
      ping: { $ref: '#' },
      pong: { $ref: '#/$defs/Pong' },
    });
    expect(await validate(Ping, { pong: { ping: { pong: { x: 1 } } } })).toEqual([
      'pong.ping.pong.x: property x should not exist',
    ]);
  });

  it('becomes an instance without @Type(), by its design type or the type in @ApiProperty()', async () => {
    class Trip {
      @ValidateNested()
      from!: City;

      @ApiProperty({ type: () => [City] })
      @ValidateNested({ each: true })
      via!: City[];

      @ApiProperty()
      to!: Country;
    }
    const trip = (await validate(Trip, {
      from: { name: 'a' },
      via: [{ name: 'b' }],
      to: { name: 'c' },
    })) as Trip;
    expect([trip.from.shout(), trip.via[0].shout(), trip.to.shout()]).toEqual(['A', 'B', 'C']);
    expect(
      await validate(Trip, { from: { name: 1 }, via: [{ name: 'b', x: 1 }], to: { y: 1 } }),
    ).toEqual([
      'from.name: name must be a string',
      expect.stringMatching(/^to\.name: /),
      'via.0.x: property x should not exist',
      'to.y: property y should not exist',
    ]);
  });

  it('stays what it is where a rule wants the plain object', async () => {
    class Holder {
      @IsObject()
      country!: Country;
    }
    expect(schemaOf(Holder).properties.country).toEqual({ $ref: '#/$defs/Country' });
    const holder = (await validate(Holder, { country: { name: 'a' } })) as Holder;
    expect(holder.country).toEqual({ name: 'a' });
    expect(holder.country).not.toBeInstanceOf(Country);
  });
});

describe('a class of several variants', () => {
  class Pet {
    @IsString()
    name!: string;
  }
  class Dog extends Pet {
    @IsInt()
    barks!: number;
  }
  class Cat extends Pet {
    @IsOptional()
    @ValidateNested()
    @Type(() => Cat)
    mother?: Cat;
  }
  const discriminator = {
    property: 'kind',
    subTypes: [
      { value: Dog, name: 'dog' },
      { value: Cat, name: 'cat' },
    ],
  };
  class Owner {
    @ValidateNested()
    @Type(() => Pet, { discriminator })
    pet!: Pet;

    @IsOptional()
    @ValidateNested({ each: true })
    @Type(() => Pet, { discriminator, keepDiscriminatorProperty: true })
    more?: Pet[];
  }

  it('is described by the discriminator of its @Type()', () => {
    const pet = { anyOf: [{ $ref: '#/$defs/Dog' }, { $ref: '#/$defs/Cat' }] };
    const { properties, $defs } = schemaOf(Owner);
    expect(properties).toEqual({ pet, more: { type: 'array', items: pet } });
    expect($defs?.Dog).toEqual({
      type: 'object',
      properties: {
        kind: { type: 'string', const: 'dog' },
        name: { type: 'string' },
        barks: { type: 'integer' },
      },
      required: ['kind', 'name', 'barks'],
      additionalProperties: false,
    });
    expect($defs?.Cat.properties?.mother).toEqual({ $ref: '#/$defs/Cat2' });
    expect($defs?.Cat2.properties).not.toHaveProperty('kind');
  });

  it('becomes an instance of the right one, and the input stays as it was', async () => {
    const input = {
      pet: { kind: 'dog', name: 'Rex', barks: 3 },
      more: [{ kind: 'cat', name: 'M' }],
    };
    const owner = (await validate(Owner, input)) as Owner;
    expect(owner.pet).toBeInstanceOf(Dog);
    expect(owner.more?.[0]).toBeInstanceOf(Cat);
    expect(input.pet.kind).toBe('dog');
  });

  it('refuses another one, and what the chosen one does not have', async () => {
    expect(await validate(Owner, { pet: { kind: 'cow' } })).toEqual([
      'pet.kind: must be one of ["dog","cat"]',
    ]);
    expect(
      await validate(Owner, { pet: { kind: 'cat', name: 'M', barks: 1 }, more: [null] }),
    ).toEqual(['pet.barks: property barks should not exist', 'more.0: must be an object']);
  });
});
