import { afterEach, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { type } from 'arktype';
import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { Tool, ToolInput, ToolParam, ToolRegistry } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { createApp } from '../support/app.js';

enum Color {
  Red = 'red',
  Blue = 'blue',
}
enum Level {
  Low,
  High,
}

class Address {
  @IsString()
  city!: string;

  @IsOptional()
  @Matches(/^\d{5}$/)
  zip?: string;

  label() {
    return `${this.zip ?? '-----'} ${this.city}`;
  }
}

class OrderDto {
  @IsInt()
  @Min(1)
  @Max(99)
  count!: number;

  @IsEmail()
  email!: string;

  @IsEnum(Color)
  color!: Color;

  @IsOptional()
  @IsEnum(Level)
  level?: Level;

  @IsIn(['a', 2])
  mixed!: string | number;

  @IsBoolean()
  gift: boolean = false;

  @IsOptional()
  @Length(2, 5)
  code?: string;

  @IsArray()
  @ArrayMinSize(1)
  @IsString({ each: true })
  tags!: string[];

  @ValidateNested()
  @Type(() => Address)
  address!: Address;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Address)
  more?: Address[];

  @IsOptional()
  @IsDate()
  @Type(() => Date)
  at?: Date;

  @IsOptional()
  @IsNumber()
  weight?: number;
}

class TreeNode {
  @IsString()
  name!: string;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => TreeNode)
  children?: TreeNode[];
}

const received: unknown[] = [];

class SchemaTools {
  @Tool({
    description: 'zod',
    inputSchema: z.object({
      count: z.number().int().positive(),
      unit: z.enum(['kg', 'lb']).default('kg'),
      note: z.string().optional(),
    }),
  })
  zod(@ToolInput() input: { count: number; unit: string; note?: string }) {
    received.push(input);
  }

  @Tool({ description: 'arktype', inputSchema: type({ count: 'number > 0', 'note?': 'string' }) })
  arktype(@ToolInput() input: { count: number; note?: string }) {
    received.push(input);
  }

  @Tool({
    description: 'raw',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
        at: { type: 'string', format: 'date' },
        unit: { type: 'string', default: 'kg' },
      },
      required: ['pair'],
    },
  })
  raw(@ToolInput() input: unknown) {
    received.push(input);
  }

  @Tool({
    description: 'raw, draft-07',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } },
      additionalProperties: false,
    },
  })
  raw7(@ToolInput() input: unknown) {
    received.push(input);
  }

  @Tool('dto')
  dto(input: OrderDto) {
    received.push(input);
  }

  @Tool('tree')
  tree(@ToolInput() input: TreeNode) {
    received.push(input);
  }

  @Tool('parameters')
  parameters(
    @ToolParam('text') text: string,
    @ToolParam('count', { required: false }) count: number,
    @ToolParam('sure') sure: boolean,
    @ToolParam('at', { required: false }) at: Date,
    @ToolParam('color', { enum: ['red', 'blue'], description: 'of the box' }) color: string,
    @ToolParam('list', { schema: z.array(z.string()).max(2), required: false }) list: string[],
    @ToolParam('address', { required: false }) address: Address,
    @ToolParam('raw', { schema: { type: 'integer' }, required: false }) raw: number,
  ) {
    received.push([text, count, sure, at, color, list, address, raw]);
  }

  @Tool('nothing')
  nothing() {
    received.push('nothing');
  }
}

let app: TestingModule;
afterEach(async () => {
  received.length = 0;
  await app.close();
});

async function schemaOf(name: string) {
  app = await createApp({ providers: [SchemaTools] });
  const schema = app.get(ToolRegistry).get(name)?.inputSchema;
  return { json: schema?.jsonSchema, source: schema?.source };
}

async function call(name: string, args: unknown) {
  app = await createApp({ providers: [SchemaTools] });
  const { status, content } = await callTool(app, name, args);
  return status === 'success' ? received[0] : content;
}

describe('a zod schema', () => {
  it('describes its input side: a field with a default is not required', async () => {
    expect(await schemaOf('zod')).toEqual({
      source: 'zod',
      json: {
        type: 'object',
        properties: {
          count: { type: 'integer', exclusiveMinimum: 0 },
          unit: { type: 'string', enum: ['kg', 'lb'], default: 'kg' },
          note: { type: 'string' },
        },
        required: ['count'],
      },
    });
  });

  it('validates and fills in defaults', async () => {
    expect(await call('zod', { count: 2 })).toEqual({ count: 2, unit: 'kg' });
  });

  it('refuses what does not fit, and unknown keys', async () => {
    expect(await call('zod', { count: 1.5, unit: 'st', extra: 1 })).toMatch(
      /- count: .*\n- unit: .*\n- extra: is not an argument of this tool/,
    );
  });
});

describe('a schema that only has the interfaces of a Standard Schema', () => {
  const described: unknown[] = [];
  /** As zod of another copy or version, which no `instanceof` would recognise. */
  const foreign = {
    type: 'object',
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: (value: unknown) => ({ value: { seen: value } }),
      jsonSchema: {
        input: (options: unknown) => {
          described.push(options);
          return { type: 'object', properties: { a: { type: 'string' } } };
        },
        output: () => ({ type: 'object', properties: { seen: {} } }),
      },
    },
  } as const;

  it('is that, although it also looks like a JSON Schema', async () => {
    class Foreign {
      @Tool({ description: 'Foreign.', inputSchema: foreign as unknown as z.ZodType })
      run(@ToolInput() input: unknown) {
        received.push(input);
      }
    }
    app = await createApp({ providers: [Foreign] });
    expect(app.get(ToolRegistry).get('run')?.inputSchema).toMatchObject({
      source: 'zod',
      jsonSchema: { type: 'object', properties: { a: { type: 'string' } } },
    });
    expect(described).toEqual([expect.objectContaining({ target: 'draft-2020-12' })]);
    await callTool(app, 'run', { a: 'x' });
    expect(received).toEqual([{ seen: { a: 'x' } }]);
  });

  it('may be a function, and wins over the class that it could be', async () => {
    const Callable = Object.assign(class Callable {}, foreign);
    class Foreign {
      @Tool({ description: 'Foreign.', inputSchema: Callable })
      run(@ToolInput() input: unknown) {
        return input;
      }
    }
    app = await createApp({ providers: [Foreign] });
    expect(app.get(ToolRegistry).get('run')?.inputSchema.source).toBe('zod');
  });
});

describe('what libraries write on their own', () => {
  it('is left out where it tells a model nothing', async () => {
    class Noisy {
      @Tool({
        description: 'Noise.',
        inputSchema: z.object({
          at: z.iso.datetime(),
          mail: z.email(),
          own: z.email({ pattern: /@example\.com$/ }),
          n: z.int(),
          limited: z.int().min(3),
          unit: z.union([z.literal('kg'), z.literal('lb')]),
          maybe: z.string().nullable(),
          record: z.record(z.string(), z.number()),
          named: z.record(z.string().max(9), z.number()),
        }),
      })
      run(@ToolInput() input: unknown) {
        return input;
      }
    }
    app = await createApp({ providers: [Noisy] });
    expect(app.get(ToolRegistry).get('run')?.inputSchema.jsonSchema.properties).toEqual({
      at: { type: 'string', format: 'date-time' },
      mail: { type: 'string', format: 'email' },
      own: { type: 'string', format: 'email', pattern: '@example\\.com$' },
      n: { type: 'integer' },
      limited: { type: 'integer', minimum: 3 },
      unit: { type: 'string', enum: ['kg', 'lb'] },
      maybe: { type: ['string', 'null'] },
      record: { type: 'object', additionalProperties: { type: 'number' } },
      named: {
        type: 'object',
        propertyNames: { type: 'string', maxLength: 9 },
        additionalProperties: { type: 'number' },
      },
    });
    const text = (await callTool(app, 'run', { at: 'soon' })).content;
    expect(text).toContain('- at: ');
  });

  it('is resolved where the root of a zod schema with an id is a reference', async () => {
    const Named = z.object({ a: z.string() }).meta({ id: 'Named' });
    class Host {
      @Tool({ description: 'Named.', inputSchema: Named })
      run(@ToolInput() input: z.output<typeof Named>) {
        return input;
      }
    }
    app = await createApp({ providers: [Host] });
    expect(app.get(ToolRegistry).get('run')?.inputSchema.jsonSchema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
    });
  });

  it('is not looked for in the names of properties', async () => {
    class Named {
      @Tool({
        description: 'Names.',
        inputSchema: z.object({ pattern: z.string(), minimum: z.number(), $ref: z.string() }),
      })
      run(@ToolInput() input: unknown) {
        return input;
      }
    }
    app = await createApp({ providers: [Named] });
    expect(app.get(ToolRegistry).get('run')?.inputSchema.jsonSchema).toEqual({
      type: 'object',
      properties: {
        pattern: { type: 'string' },
        minimum: { type: 'number' },
        $ref: { type: 'string' },
      },
      required: ['pattern', 'minimum', '$ref'],
    });
    const input = { pattern: 'x', minimum: 1, $ref: 'y' };
    expect((await callTool(app, 'run', input)).value).toEqual(input);
  });
});

describe('an arktype type', () => {
  it('is recognised although it is a function', async () => {
    expect(await schemaOf('arktype')).toEqual({
      source: 'arktype',
      json: {
        type: 'object',
        properties: { count: { type: 'number', exclusiveMinimum: 0 }, note: { type: 'string' } },
        required: ['count'],
      },
    });
    await app.close();
    expect(await call('arktype', { count: 1 })).toEqual({ count: 1 });
    await app.close();
    expect(await call('arktype', { count: -1 })).toContain('- count: ');
  });
});

describe('a raw JSON Schema', () => {
  it('goes to the model as it is, without $schema', async () => {
    expect((await schemaOf('raw')).json).toMatchObject({ type: 'object', required: ['pair'] });
    expect((await schemaOf('raw')).json).not.toHaveProperty('$schema');
  });

  it('is validated as draft 2020-12, formats and defaults included', async () => {
    expect(await call('raw', { pair: ['a', 1] })).toEqual({ pair: ['a', 1], unit: 'kg' });
    await app.close();
    expect(await call('raw', { pair: [1, 'a'], at: 'today' })).toMatch(
      /- pair\.0: must be string \(got 1\)\n- pair\.1: must be number \(got "a"\)\n- at: must match format "date" \(got "today"\)/,
    );
    await app.close();
    expect(await call('raw', {})).toContain('- pair: is required');
  });

  it('is validated as draft-07 if it says so', async () => {
    expect(await call('raw7', { pair: ['a', 1] })).toEqual({ pair: ['a', 1] });
    await app.close();
    expect(await call('raw7', { pair: [1] })).toContain('- pair.0: must be string');
    await app.close();
    expect(await call('raw7', { other: 1 })).toContain('- other: is not an argument of this tool');
  });
});

describe('a DTO class', () => {
  it('is described by its decorators', async () => {
    const address = {
      type: 'object',
      properties: { city: { type: 'string' }, zip: { type: 'string', pattern: '^\\d{5}$' } },
      required: ['city'],
      additionalProperties: false,
    };
    expect(await schemaOf('dto')).toEqual({
      source: 'class-validator',
      json: {
        type: 'object',
        properties: {
          count: { type: 'integer', minimum: 1, maximum: 99 },
          email: { type: 'string', format: 'email' },
          color: { type: 'string', enum: ['red', 'blue'] },
          level: { type: 'number', enum: [0, 1] },
          mixed: { type: ['string', 'number'], enum: ['a', 2] },
          gift: { type: 'boolean', default: false },
          code: { type: 'string', minLength: 2, maxLength: 5 },
          tags: { type: 'array', minItems: 1, items: { type: 'string' } },
          address: { $ref: '#/$defs/Address' },
          more: { type: 'array', items: { $ref: '#/$defs/Address' } },
          at: { type: 'string', format: 'date-time' },
          weight: { type: 'number' },
        },
        required: ['count', 'email', 'color', 'mixed', 'tags', 'address'],
        additionalProperties: false,
        $defs: { Address: address },
      },
    });
  });

  const valid = {
    count: 3,
    email: 'a@b.co',
    color: 'red',
    mixed: 2,
    tags: ['x'],
    address: { city: 'Bern' },
    more: [{ city: 'Rome', zip: '00100' }],
    at: '2026-01-02T03:04:05Z',
  };

  it('gives the method an instance, nested ones included, with its initial values', async () => {
    const dto = (await call('dto', valid)) as OrderDto;
    expect(dto).toBeInstanceOf(OrderDto);
    expect(dto.gift).toBe(false);
    expect(dto.address.label()).toBe('----- Bern');
    expect(dto.more?.[0].label()).toBe('00100 Rome');
    expect(dto.at).toEqual(new Date('2026-01-02T03:04:05Z'));
  });

  it('names every problem by its path, unknown properties included', async () => {
    const text = await call('dto', {
      ...valid,
      count: 100,
      address: { city: 5, isAdmin: true },
      isAdmin: true,
    });
    expect(text).toContain('- count: count must not be greater than 99 (got 100)');
    expect(text).toContain('- address.city: city must be a string (got 5)');
    expect(text).toContain('- address.isAdmin: property isAdmin should not exist (got true)');
    expect(text).toContain('- isAdmin: is not an argument of this tool');
  });

  it('may refer to itself', async () => {
    expect((await schemaOf('tree')).json).toMatchObject({
      properties: { children: { type: 'array', items: { $ref: '#' } } },
    });
    await app.close();
    const tree = (await call('tree', { name: 'a', children: [{ name: 'b' }] })) as TreeNode;
    expect(tree.children?.[0]).toBeInstanceOf(TreeNode);
  });
});

describe('@ToolParam() fields', () => {
  it('are put together to one object', async () => {
    expect(await schemaOf('parameters')).toEqual({
      source: 'parameters',
      json: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          count: { type: 'number' },
          sure: { type: 'boolean' },
          at: { type: 'string', format: 'date-time' },
          color: { type: 'string', enum: ['red', 'blue'], description: 'of the box' },
          list: { type: 'array', items: { type: 'string' }, maxItems: 2 },
          address: {
            type: 'object',
            properties: { city: { type: 'string' }, zip: { type: 'string', pattern: '^\\d{5}$' } },
            required: ['city'],
            additionalProperties: false,
          },
          raw: { type: 'integer' },
        },
        required: ['text', 'sure', 'color'],
        additionalProperties: false,
      },
    });
  });

  it('are validated one by one', async () => {
    const values = (await call('parameters', {
      text: 'a',
      sure: true,
      at: '2026-01-02',
      color: 'red',
      list: ['x'],
      address: { city: 'Bern' },
      raw: 3,
    })) as unknown[];
    expect(values.slice(0, 6)).toEqual([
      'a',
      undefined,
      true,
      new Date('2026-01-02'),
      'red',
      ['x'],
    ]);
    expect(values[6]).toBeInstanceOf(Address);
    expect(values[7]).toBe(3);
    await app.close();
    const text = await call('parameters', {
      text: 1,
      count: 'x',
      at: 'soon',
      color: 'green',
      list: ['x', 'y', 'z'],
      address: {},
      raw: 1.5,
      other: 1,
    });
    for (const problem of [
      '- text: must be a string (got 1)',
      '- count: must be a number (got "x")',
      '- sure: is required',
      '- at: must be an ISO 8601 date, or date and time with its offset (got "soon")',
      '- color: must be one of ["red","blue"] (got "green")',
      '- list: ',
      '- address.city: is required',
      '- raw: must be integer (got 1.5)',
      '- other: is not an argument of this tool',
    ]) {
      expect(text).toContain(problem);
    }
  });

  it('may be none', async () => {
    expect(await schemaOf('nothing')).toEqual({
      source: 'none',
      json: { type: 'object', properties: {}, additionalProperties: false },
    });
    await app.close();
    expect(await call('nothing', '')).toBe('nothing');
  });
});

describe('every schema', () => {
  it('is a Standard Schema and a Standard JSON Schema itself', async () => {
    app = await createApp({ providers: [SchemaTools] });
    for (const { inputSchema } of app.get(ToolRegistry).list()) {
      const standard = inputSchema['~standard'];
      expect(standard.version).toBe(1);
      expect(standard.jsonSchema.input({ target: 'draft-2020-12' })).toEqual(
        inputSchema.jsonSchema,
      );
      const output = standard.jsonSchema.output({ target: 'draft-2020-12' });
      expect(output).toMatchObject({ type: 'object' });
      expect(inputSchema.jsonSchema).toMatchObject({
        type: 'object',
        properties: expect.any(Object),
      });
    }
  });

  it('describes its output side, too', async () => {
    app = await createApp({ providers: [SchemaTools] });
    const standard = app.get(ToolRegistry).get('zod')?.inputSchema['~standard'];
    // With its default, `unit` is always there in the end.
    expect(standard?.jsonSchema.output({ target: 'draft-2020-12' })).toMatchObject({
      required: ['count', 'unit'],
    });
  });
});
