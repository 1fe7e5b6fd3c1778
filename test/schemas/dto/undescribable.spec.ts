import { describe, expect, it } from '@jest/globals';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsDateString,
  IsDefined,
  IsNotEmpty,
  IsString,
  ValidateNested,
} from 'class-validator';
import { SchemaException, Tool, ToolInput } from 'nestjs-agent-tools';
import { createSchema } from '../../../libs/agent-tools/src/schemas/tool-schema.factory.js';
import { bootError } from '../../support/app.js';
import { problemOf, validate } from './support/describe.js';

class Bare {
  text!: string;
}
class Inner {
  @Allow()
  any!: unknown;

  @IsArray()
  list!: unknown[];
}
class Everything {
  @IsArray()
  items!: string[];

  @ApiProperty()
  texts!: string[];

  @IsDefined()
  object!: object;

  @IsNotEmpty()
  union!: string | number;

  @Allow()
  map!: Map<string, string>;

  @Allow()
  set!: Set<string>;

  @Allow()
  big!: bigint;

  @Allow()
  buffer!: Buffer;

  @ValidateNested()
  @Type(() => Bare)
  bare!: Bare;

  @ValidateNested()
  @Type(() => Inner)
  inner!: Inner;

  @ApiProperty({ oneOf: [{ $ref: getSchemaPath('Lost') }] })
  lost!: unknown;

  @IsString()
  fine!: string;
}

describe('what cannot be described', () => {
  const message = problemOf(Everything);

  it('is a SchemaException', () => {
    expect(() => createSchema(Everything)).toThrow(SchemaException);
  });

  it('comes in one message', () => {
    expect(message).toMatch(/^12 problems with the class "Everything":\n {2}- /);
    expect(message.split('\n')).toHaveLength(13);
    expect(message).not.toContain('fine');
  });

  it.each([
    ['The type of the items of "Everything.items" is unknown. Add @Type(() => Item) with'],
    ['The type of the items of "Everything.texts" is unknown.'],
    [
      'The type of "Everything.object" cannot be described: TypeScript\'s metadata says only "Object"',
    ],
    [
      'The type of "Everything.union" cannot be described: TypeScript\'s metadata says only "Object"',
    ],
    [
      'The type of "Everything.map" cannot be described: JSON has no Map. Add a class-validator rule',
    ],
    ['The type of "Everything.set" cannot be described: JSON has no Set.'],
    ['The type of "Everything.big" cannot be described: JSON has no BigInt.'],
    ['The type of "Everything.buffer" cannot be described: TypeScript\'s metadata says "Buffer".'],
    ['Class "Bare" (Everything.bare) has no class-validator decorator and no @ApiProperty()'],
    ['The type of "Everything.inner.any" cannot be described'],
    ['The type of the items of "Everything.inner.list" is unknown.'],
    ['"Everything.lost" refers to "#/components/schemas/Lost". Add @ApiExtraModels(Lost)'],
  ])('names the property and what to write: %s', (part) => {
    expect(message).toContain(part);
  });

  it('hints at `import type`', () => {
    expect(message).toContain('classes brought in by `import type`');
  });

  it('is in the boot error', async () => {
    class Tools {
      @Tool('Anything.')
      run(@ToolInput() input: Everything) {
        return input;
      }
    }
    const error = await bootError({ providers: [Tools] });
    expect(error).toContain('1 problem with the tools of this application');
    expect(error).toContain('- Tools.run: 12 problems with the class "Everything":\n  - ');
  });

  it('is a class that is no DTO, which is not made to find out', () => {
    class Service {
      constructor() {
        throw new Error('It was made.');
      }
    }
    let count = 0;
    class Counting {
      text = String(++count);
    }
    expect(problemOf(Service)).toContain('has no class-validator decorator');
    expect(problemOf(Counting)).toContain('has no class-validator decorator');
    expect(count).toBe(0);
  });

  it('is a class without any decorator, too', () => {
    expect(problemOf(Bare)).toBe(
      'Class "Bare" (Bare) has no class-validator decorator and no @ApiProperty(), so nothing of ' +
        'it can be described. Decorate its properties, or give the tool an `inputSchema`.',
    );
  });
});

describe('a class of which every call would be refused', () => {
  it('has a discriminator that class-transformer takes away from a rule', async () => {
    class Cat {
      @IsString()
      kind!: string;
    }
    const discriminator = { property: 'kind', subTypes: [{ name: 'cat', value: Cat }] };
    class Loses {
      @ValidateNested()
      @Type(() => Object, { discriminator })
      pet!: Cat;
    }
    class Keeps {
      @ValidateNested()
      @Type(() => Object, { discriminator, keepDiscriminatorProperty: true })
      pet!: Cat;
    }
    expect(problemOf(Loses)).toBe(
      '"Loses.pet" loses "kind", which a rule of the class demands, when class-transformer makes the ' +
        'instance. Add keepDiscriminatorProperty: true to the options of @Type().',
    );
    expect(await validate(Keeps, { pet: { kind: 'cat' } })).toMatchObject({ pet: { kind: 'cat' } });
  });

  it('has a Map of classes', () => {
    class Place {
      @IsString()
      city!: string;
    }
    class Dto {
      @ValidateNested({ each: true })
      @Type(() => Place)
      byName!: Map<string, Place>;
    }
    expect(problemOf(Dto)).toContain(
      '"Dto.byName" is a Map, which JSON does not have. Use an array',
    );
  });

  it('has a text of which @Type() makes a boolean', () => {
    class Dto {
      @ApiProperty({ type: 'string' })
      @Type(() => Boolean)
      flag!: boolean;
    }
    expect(problemOf(Dto)).toContain('"Dto.flag" is described as no boolean');
  });

  it('has a rule for texts on what @Type() makes a Date of', () => {
    class Dto {
      @IsDateString()
      @Type(() => Date)
      at!: Date;
    }
    expect(problemOf(Dto)).toContain(
      '"Dto.at" has a rule for texts, but @Type(() => Date) makes a Date of the text before the rule',
    );
  });
});
