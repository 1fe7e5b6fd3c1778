import { afterEach, describe, expect, it } from '@jest/globals';
import { DefaultValuePipe, ParseArrayPipe, type PipeTransform } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { IsOptional, IsString } from 'class-validator';
import { Tool, ToolParam, ToolRegistry } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { bootError, createApp } from '../support/app.js';

enum Color {
  Red = 'red',
  Blue = 'blue',
}
enum Level {
  Low,
  High = 5,
}
enum Mixed {
  Yes = 'yes',
  One = 1,
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

class ShoutPipe implements PipeTransform<string, string> {
  transform(value: string) {
    return value.toUpperCase();
  }
}

class Tools {
  @Tool('Types.')
  types(
    @ToolParam('tags', { type: [String] }) tags: string[],
    @ToolParam('count', { type: 'integer' }) count: number,
    @ToolParam('item', { type: () => ItemDto }) item: object,
    @ToolParam('items', { type: [() => ItemDto], required: false }) items: object[],
    @ToolParam('grid', { type: [[Number]], required: false }) grid: number[][],
    @ToolParam('dates', { type: [Date], required: false }) dates: Date[],
    @ToolParam('name', { type: 'string', required: false }) name: unknown,
  ) {
    return { tags, count, item, items, grid, dates, name };
  }

  @Tool('Enums.')
  enums(
    @ToolParam('color', { enum: Color }) color: Color,
    @ToolParam('level', { enum: Level }) level: Level,
    @ToolParam('mixed', { enum: Mixed }) mixed: Mixed,
    @ToolParam('colors', { enum: Color, required: false }) colors: Color[],
    @ToolParam('sizes', { enum: ['S', 'L'], type: [String], required: false }) sizes: unknown,
  ) {
    return { color, level, mixed, colors, sizes };
  }

  @Tool('Pipes.')
  pipes(
    @ToolParam('loud', { schema: z.string().min(2) }, ShoutPipe) loud: string,
    @ToolParam('unit', { enum: ['kg', 'lb'], required: false }, new DefaultValuePipe('kg'))
    unit: string,
    @ToolParam('ids', { type: 'string', required: false }, new ParseArrayPipe({ optional: true }))
    ids: string[],
  ) {
    return { loud, unit, ids };
  }

  @Tool('Defaults.')
  defaults(
    @ToolParam('unit', { schema: { type: 'string', default: 'kg' } }) unit: string,
    @ToolParam('options', { schema: { type: 'object', default: { deep: [1] } } })
    options: {
      deep: number[];
    },
    @ToolParam('count', { schema: z.number().default(3) }) count: number,
    @ToolParam('any', { schema: { $schema: DIALECT, default: 5 } }) any: unknown,
    @ToolParam('forced', { schema: { type: 'number', default: 1 }, required: true }) forced: number,
  ) {
    options.deep.push(2);
    return { unit, options, count, any, forced };
  }
}

/** Declared after its use, so that only an arrow function can name it. */
class ItemDto {
  @IsString()
  name!: string;

  @IsOptional()
  @IsString()
  note?: string;
}

let app: TestingModule;
afterEach(() => app.close());

async function call(name: string, args: unknown) {
  app = await createApp({ providers: [Tools] });
  return callTool(app, name, args);
}

async function propertiesOf(name: string) {
  app = await createApp({ providers: [Tools] });
  return app.get(ToolRegistry).get(name)?.inputSchema.jsonSchema;
}

const item = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

describe('@ToolParam() with a `type`', () => {
  it('is described by it', async () => {
    expect(await propertiesOf('types')).toMatchObject({
      properties: {
        tags: { type: 'array', items: { type: 'string' } },
        count: { type: 'integer' },
        item,
        items: { type: 'array', items: item },
        grid: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
        dates: { type: 'array', items: { type: 'string', format: 'date-time' } },
        name: { type: 'string' },
      },
      required: ['tags', 'count', 'item'],
    });
  });

  it('gives instances of classes and dates, items included', async () => {
    const { value } = await call('types', {
      tags: ['a'],
      count: 2,
      item: { name: 'x' },
      items: [{ name: 'y' }],
      grid: [[1], []],
      dates: ['2026-01-02T03:04:05Z'],
    });
    const { items, ...rest } = value as { items: unknown[]; item: unknown };
    expect(rest).toMatchObject({
      tags: ['a'],
      count: 2,
      grid: [[1], []],
      dates: [new Date('2026-01-02T03:04:05Z')],
    });
    expect(rest.item).toBeInstanceOf(ItemDto);
    expect(items[0]).toBeInstanceOf(ItemDto);
  });

  it('names each problem by its path', async () => {
    const { content } = await call('types', {
      tags: ['a', 1],
      count: 1.5,
      item: {},
      items: [{ name: 'x' }, { name: 1 }],
      grid: [[1, 'x']],
      name: 5,
    });
    for (const problem of [
      '- tags.1: must be a string (got 1)',
      '- count: must be an integer (got 1.5)',
      '- item.name: ',
      '- items.1.name: name must be a string (got 1)',
      '- grid.0.1: must be a number (got "x")',
    ]) {
      expect(content).toContain(problem);
    }
    await app.close();
    const text = await call('types', { tags: { 0: 'a' }, count: 1, item: { name: 'x' } });
    expect(text.content).toContain('- tags: must be an array');
  });
});

describe('@ToolParam() with an `enum`', () => {
  it('takes enums of strings, of numbers and of both, and lists', async () => {
    expect(await propertiesOf('enums')).toMatchObject({
      properties: {
        color: { type: 'string', enum: ['red', 'blue'] },
        level: { type: 'number', enum: [0, 5] },
        mixed: { type: ['string', 'number'], enum: ['yes', 1] },
        colors: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } },
        sizes: { type: 'array', items: { type: 'string', enum: ['S', 'L'] } },
      },
    });
  });

  it('lets its values through and nothing else', async () => {
    const input = { color: 'red', level: 5, mixed: 1, colors: ['blue'], sizes: ['S', 'L'] };
    expect((await call('enums', input)).value).toEqual(input);
    await app.close();
    const { content } = await call('enums', {
      color: 'purple',
      level: 'Low',
      mixed: 'One',
      colors: ['red', 'green'],
      sizes: ['M'],
    });
    for (const problem of [
      '- color: must be one of ["red","blue"] (got "purple")',
      '- level: must be one of [0,5] (got "Low")',
      '- mixed: must be one of ["yes",1] (got "One")',
      '- colors.1: must be one of ["red","blue"] (got "green")',
      '- sizes.0: must be one of ["S","L"] (got "M")',
    ]) {
      expect(content).toContain(problem);
    }
  });
});

describe('pipes of a @ToolParam()', () => {
  it('run on the validated value', async () => {
    expect((await call('pipes', { loud: 'abc', ids: '1,2' })).value).toEqual({
      loud: 'ABC',
      unit: 'kg',
      ids: ['1', '2'],
    });
    await app.close();
    expect((await call('pipes', { loud: 'a', unit: 'st' })).content).toMatch(
      /- loud: .*\n- unit: /,
    );
  });
});

describe('a field whose schema has a default', () => {
  it('is optional, and gets a default of its own at each call', async () => {
    expect((await propertiesOf('defaults'))?.required).toEqual(['forced']);
    for (let round = 0; round < 2; round++) {
      expect((await callTool(app, 'defaults', { forced: 2 })).value).toEqual({
        unit: 'kg',
        options: { deep: [1, 2] },
        count: 3,
        any: 5,
        forced: 2,
      });
    }
  });

  it('is required if it says so', async () => {
    expect((await call('defaults', {})).content).toContain('- forced: is required');
  });
});

describe('a @ToolParam() that contradicts itself', () => {
  it('is a boot error that says what to keep', async () => {
    class Wrong {
      @Tool('Anything.')
      schemaAndType(@ToolParam('a', { schema: z.string(), type: String }) a: string) {
        return a;
      }
      @Tool('Anything.')
      enumAndType(@ToolParam('a', { enum: ['x'], type: String }) a: string) {
        return a;
      }
      @Tool('Anything.')
      object(@ToolParam('a', { type: Object }) a: object) {
        return a;
      }
      @Tool('Anything.')
      noValues(@ToolParam('a', { enum: [] }) a: string) {
        return a;
      }
      @Tool('Anything.')
      untyped(@ToolParam('a') a: string[]) {
        return a;
      }
    }
    const message = await bootError({ providers: [Wrong] });
    app = await createApp({});
    for (const problem of [
      'schemaAndType: Parameter "a" has both `schema` and `type`. Keep the schema.',
      'enumAndType: Parameter "a" has both `enum` and a `type` that is not a list.',
      'object: The `type` of parameter "a" is Object. Give String, Number,',
      'noValues: An `enum` has no values.',
      "@ToolParam('a', { type: [String] })",
    ]) {
      expect(message).toContain(problem);
    }
  });
});
