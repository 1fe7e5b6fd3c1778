import { describe, expect, it } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsDate,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { createOutputSchema } from '../../../libs/agent-tools/src/schemas/tool-schema.factory.js';

/** What goes on of a result, or the problems as `path: message`. */
async function result(target: unknown, value: unknown): Promise<unknown> {
  const checked = await createOutputSchema(target)['~standard'].validate(value);
  if (!checked.issues) return checked.value;
  return checked.issues.map(
    ({ path = [], message }) => `${path.map(String).join('.')}: ${message}`,
  );
}

class User {
  @IsString()
  name!: string;

  @Exclude({ toPlainOnly: true })
  @IsString()
  passwordHash!: string;

  @Expose({ name: 'mail_address' })
  @IsOptional()
  @IsString()
  mailAddress?: string;

  @IsOptional()
  @IsDate()
  bornAt?: Date;

  private readonly cache = new Map<string, string>();

  seen() {
    return this.cache.size;
  }
}
class Team {
  @ValidateNested()
  @Type(() => User)
  lead!: User;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => User)
  members!: User[];

  @IsInt()
  size = 2;
}

describe('the class of a result', () => {
  it('describes what is shown', () => {
    expect(createOutputSchema(User).jsonSchema).toMatchObject({
      properties: { name: {}, mail_address: {}, bornAt: { format: 'date-time' } },
      required: ['name'],
      additionalProperties: false,
    });
    expect(createOutputSchema(User).jsonSchema.properties).not.toHaveProperty('passwordHash');
  });

  it.each([
    ['an instance', () => Object.assign(new User(), { mailAddress: 'm' })],
    ['another object', () => ({ mailAddress: 'm' })],
    ['an object with the names that are shown', () => ({ mail_address: 'm' })],
  ])('strips what is not shown from %s', async (_, make) => {
    const value = Object.assign(make(), {
      name: 'a',
      passwordHash: 'x',
      token: 'x',
      gone: undefined,
    });
    expect(await result(User, value)).toEqual({ name: 'a', mail_address: 'm' });
  });

  it('does so in nested objects, and leaves the result as it is', async () => {
    const user = { name: 'a', passwordHash: 'x', token: 'x', bornAt: undefined };
    const team = { lead: user, members: [Object.assign(new User(), user)], extra: 1 };
    const shown = JSON.parse(JSON.stringify(await result(Team, team)));
    expect(shown).toEqual({ lead: { name: 'a' }, members: [{ name: 'a' }], size: 2 });
    expect(team.lead).toBe(user);
    expect(user.token).toBe('x');
  });

  it('has its initial values where another object lacks them, and not where an instance lost them', async () => {
    const rest = { lead: { name: 'a' }, members: [] };
    expect(await result(Team, rest)).toEqual({ ...rest, size: 2 });
    const team = Object.assign(new Team(), rest, { size: undefined });
    expect(await result(Team, team)).toEqual(['size: size must be an integer number']);
  });

  it('takes dates, as such and as texts', async () => {
    class Row {
      @ApiProperty()
      documented!: Date;

      @Type(() => Date)
      typed!: Date;

      @IsDate()
      ruled!: Date;

      @ApiProperty({ type: 'object', properties: { at: { type: 'string', format: 'date-time' } } })
      free!: object;
    }
    const at = new Date('2026-05-06T10:00:00Z');
    const text = at.toISOString();
    const dates = { documented: at, typed: at, ruled: at, free: { at } };
    const texts = { documented: text, typed: text, ruled: text, free: { at: text } };
    for (const value of [dates, texts, Object.assign(new Row(), dates)]) {
      expect(JSON.parse(JSON.stringify(await result(Row, value)))).toEqual(texts);
    }
    const bad = { ...dates, typed: new Date('x'), ruled: 'soon', documented: 5 };
    expect(await result(Row, bad)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^typed: /),
        expect.stringMatching(/^ruled: /),
        expect.stringMatching(/^documented: /),
      ]),
    );
  });

  it('refuses what its rules and its schema refuse', async () => {
    expect(await result(User, { name: 5 })).toEqual(['name: name must be a string']);
    expect(await result(User, { name: 'a', mailAddress: 5 })).toEqual([
      'mail_address: mailAddress must be a string',
    ]);
    expect(await result(Team, { lead: { name: 5 }, members: {} })).toEqual([
      'lead.name: must be a string',
      'members: must be an array',
    ]);
    for (const value of [null, undefined, [], 'a']) {
      expect(await result(User, value)).toEqual([': must be an object']);
    }
  });

  it('checks and strips what no @ValidateNested() marks', async () => {
    class Page {
      @IsNotEmpty()
      @Type(() => User)
      user!: User;

      @IsObject()
      @ApiProperty({ type: 'object', additionalProperties: { type: 'number' } })
      counts!: object;
    }
    const user = { name: 'a', token: 'x' };
    expect(await result(Page, { user, counts: { a: 1 } })).toEqual({
      user: { name: 'a' },
      counts: { a: 1 },
    });
    expect(await result(Page, { user: { name: 5 }, counts: { a: 'x' } })).toEqual([
      expect.stringMatching(/^user\.name: /),
      expect.stringMatching(/^counts\.a: /),
    ]);
  });

  it('is written by the transforms for results, not by those for inputs', async () => {
    class Account {
      @Transform(({ value }: { value: string }) => value.split(','), { toClassOnly: true })
      @IsString({ each: true })
      tags!: string[];

      @Transform(({ value }: { value: string }) => `***${value.slice(-2)}`, { toPlainOnly: true })
      @IsString()
      iban!: string;
    }
    expect(await result(Account, { tags: ['a'], iban: 'CH1234' })).toEqual({
      tags: ['a'],
      iban: '***34',
    });
  });

  it('shows no more of a nested class that goes through a @Transform()', async () => {
    class Page {
      @ApiProperty({ type: [User] })
      @Transform(({ value }: { value?: User[] }) => value ?? [])
      @ValidateNested({ each: true })
      @Type(() => User)
      users!: User[];

      @ApiProperty({ type: User })
      @Transform(({ value }: { value: User }) => [value])
      @ValidateNested()
      @Type(() => User)
      wrapped!: unknown;
    }
    const user = { name: 'a', passwordHash: 'x', token: 'x' };
    expect(await result(Page, { users: [user], wrapped: user })).toEqual({
      users: [{ name: 'a' }],
      wrapped: [{ name: 'a' }],
    });
    expect(await result(Page, { users: [{ ...user, name: 5 }], wrapped: user })).toEqual([
      'users.0.name: name must be a string',
    ]);
  });

  it('tells its variants apart by class or by discriminator', async () => {
    class Cat {
      @IsInt()
      lives!: number;
    }
    class Dog {
      @IsString()
      name!: string;
    }
    class Owner {
      @ValidateNested()
      @Type(() => Object, {
        discriminator: {
          property: 'kind',
          subTypes: [
            { name: 'cat', value: Cat },
            { name: 'dog', value: Dog },
          ],
        },
      })
      pet!: Cat | Dog;
    }
    expect(await result(Owner, { pet: { kind: 'cat', lives: 9, secret: 1 } })).toEqual({
      pet: { kind: 'cat', lives: 9 },
    });
    expect(await result(Owner, { pet: Object.assign(new Dog(), { name: 'Rex', x: 1 }) })).toEqual({
      pet: { kind: 'dog', name: 'Rex' },
    });
    expect(await result(Owner, { pet: { lives: 9 } })).toEqual([
      'pet.kind: must be one of ["cat","dog"]',
    ]);
  });

  it('runs no setter and needs no constructor without arguments', async () => {
    class Point {
      @IsInt()
      x!: number;

      constructor(source: { x: number }) {
        this.x = source.x;
      }
    }
    expect(await result(Point, { x: 1 })).toEqual({ x: 1 });
    expect(await result(Point, new Point({ x: 1 }))).toEqual({ x: 1 });
  });

  it('refuses a result that holds itself', async () => {
    class Node {
      @IsOptional()
      @ValidateNested()
      @Type(() => Node)
      next?: Node;
    }
    const node: { next?: object } = {};
    node.next = { next: node };
    expect(await result(Node, node)).toEqual(['next.next: must not contain itself']);
  });
});
