import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  Catch,
  Logger,
  UseFilters,
  UseInterceptors,
  type CallHandler,
  type ExceptionFilter,
  type NestInterceptor,
} from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { Type as TypeBox } from '@sinclair/typebox';
import { type } from 'arktype';
import { IsInt, IsString } from 'class-validator';
import { Tool, ToolInput, ToolOutputException, ToolRegistry, ToolResult } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { createZodDto } from 'nestjs-zod';
import { map, of } from 'rxjs';
import * as v from 'valibot';
import { z } from 'zod';
import { bootError, createApp } from '../support/app.js';

const Total = z.object({ total: z.number(), currency: z.string().default('CHF') });

class TotalDto {
  @IsInt()
  total!: number;
  @IsString()
  currency!: string;
}

class TotalZodDto extends createZodDto(Total) {}

class Doubled implements NestInterceptor {
  intercept(_context: unknown, next: CallHandler) {
    return next.handle().pipe(map((value: { total: number }) => ({ total: value.total * 2 })));
  }
}

@Catch(RangeError)
class ZeroFilter implements ExceptionFilter {
  catch() {
    return { total: 'none' };
  }
}

/** What the tools return, so that each test chooses it. */
let returned: unknown;

class Shop {
  @Tool({ description: 'zod.', outputSchema: Total })
  zod(): never {
    return returned as never;
  }

  @Tool({ description: 'arktype.', outputSchema: type({ total: 'number', code: "'x' | 'y'" }) })
  arktype(): never {
    return returned as never;
  }

  @Tool({
    description: 'valibot.',
    outputSchema: v.object({ total: v.number(), code: v.picklist(['x', 'y']) }),
  })
  valibot(): never {
    return returned as never;
  }

  @Tool({ description: 'A DTO class.', outputSchema: TotalDto })
  dto(): never {
    return returned as never;
  }

  @Tool({ description: 'A class of createZodDto().', outputSchema: TotalZodDto })
  zodDto(): never {
    return returned as never;
  }

  @Tool({
    description: 'TypeBox.',
    outputSchema: TypeBox.Object({ total: TypeBox.Number(), code: TypeBox.Literal('x') }),
  })
  typebox(): never {
    return returned as never;
  }

  @Tool({
    description: 'Raw.',
    outputSchema: {
      type: 'object',
      properties: { total: { type: 'number' }, currency: { default: 'CHF' } },
    },
  })
  raw() {
    return returned;
  }

  @Tool({ description: 'An array.', outputSchema: z.array(z.object({ id: z.number() })) })
  async list(): Promise<{ id: number }[]> {
    return returned as { id: number }[];
  }

  @Tool({ description: 'A text.', outputSchema: z.string().max(5) })
  text() {
    return of(returned as string);
  }

  @Tool({
    description: 'Dates.',
    outputSchema: z.object({ at: z.date(), n: z.bigint().optional() }),
  })
  date() {
    return returned as { at: Date };
  }

  @Tool({
    description: 'Asynchronous.',
    outputSchema: z.string().refine(async (text) => text !== 'bad', 'is bad'),
  })
  async later() {
    return returned as string;
  }

  @Tool({
    description: 'With an interceptor.',
    outputSchema: z.object({ total: z.number().max(10) }),
  })
  @UseInterceptors(Doubled)
  intercepted() {
    return returned as { total: number };
  }

  @Tool({ description: 'With a filter.', outputSchema: Total })
  @UseFilters(ZeroFilter)
  filtered(): { total: number } {
    throw new RangeError('no total');
  }

  @Tool({ description: 'Untyped.', outputSchema: z.array(z.unknown()) })
  untyped() {
    return returned as unknown[];
  }

  @Tool({ description: 'Unchecked.' })
  unchecked() {
    return returned;
  }
}

let app: TestingModule;
let logged: string[];

beforeEach(() => {
  logged = [];
  jest.spyOn(Logger.prototype, 'error').mockImplementation((message: unknown) => {
    logged.push(String(message));
  });
});

afterEach(async () => {
  jest.restoreAllMocks();
  await app.close();
});

async function call(name: string, value: unknown) {
  returned = value;
  app ??= await createApp({ providers: [Shop] });
  await app.close();
  app = await createApp({ providers: [Shop] });
  return callTool(app, name, {});
}

describe('the result of a tool with an outputSchema', () => {
  it('is what the schema yields: fields that it strips never reach the model', async () => {
    const result = await call('zod', { total: 3, passwordHash: 'secret' });
    expect(result).toMatchObject({ status: 'success', content: '{"total":3,"currency":"CHF"}' });
    expect(result.value).toEqual({ total: 3, currency: 'CHF' });
  });

  it.each(['zodDto', 'raw'])('has defaults (%s)', async (name) => {
    expect((await call(name, { total: 3 })).value).toEqual({ total: 3, currency: 'CHF' });
  });

  it('may be an instance of the class that is its schema', async () => {
    const dto = Object.assign(new TotalDto(), { total: 3, currency: 'CHF' });
    expect(await call('dto', dto)).toMatchObject({
      status: 'success',
      content: '{"total":3,"currency":"CHF"}',
    });
  });

  it('may be an array, a text, or hold dates, which the model reads as text', async () => {
    expect((await call('list', [{ id: 1, extra: 1 }])).content).toBe('[{"id":1}]');
    expect((await call('text', 'abc')).content).toBe('abc');
    expect((await call('untyped', [1, 'x'])).content).toBe('[1,"x"]');
    const at = new Date('2026-01-02T03:04:05Z');
    expect((await call('date', { at })).content).toBe('{"at":"2026-01-02T03:04:05.000Z"}');
  });

  it('is checked after interceptors', async () => {
    expect((await call('intercepted', { total: 4 })).value).toEqual({ total: 8 });
    expect((await call('intercepted', { total: 6 })).content).toContain('- total: ');
  });

  it('is not checked when an exception filter answers, which is about an error', async () => {
    const { status, content } = await call('filtered', undefined);
    expect(status).toBe('success');
    expect(content).toContain('total');
  });

  it('may be checked asynchronously', async () => {
    expect((await call('later', 'good')).content).toBe('good');
    expect((await call('later', 'bad')).content).toContain('- (whole result): is bad');
  });

  it('is checked by the value of a ToolResult, whose content stays', async () => {
    const given = new ToolResult('Three francs.', { value: { total: 3, secret: 1 } });
    expect(await call('zod', given)).toMatchObject({ status: 'success', content: 'Three francs.' });
    expect((await call('zod', given)).value).toEqual({ total: 3, currency: 'CHF' });
    expect(given.value).toEqual({ total: 3, secret: 1 });
    expect((await call('zod', new ToolResult('x', { value: { total: 'x' } }))).status).toBe(
      'error',
    );
    expect((await call('zod', new ToolResult('No value.'))).content).toBe('No value.');
  });
});

describe('a result that breaks its outputSchema', () => {
  const wrong = { total: 'top-secret', code: 'hidden', currency: 'CHF' };

  it.each<[string, RegExp]>([
    ['zod', /- total: .*number/],
    ['zodDto', /- total: .*number/],
    ['arktype', /- (total|code): .*\n- (total|code): /],
    ['valibot', /- total: must be number\n- code: must be \("x" \| "y"\)/],
    ['dto', /- total: total must be an integer number/],
    ['typebox', /- total: must be number\n- code: must be "x"/],
    ['raw', /- total: must be number/],
  ])('is an error that names the paths but not the values (%s)', async (name, problems) => {
    const { status, content, value, error } = await call(name, wrong);
    expect(error).toBeInstanceOf(ToolOutputException);
    expect(status).toBe('error');
    expect(value).toBeUndefined();
    expect(content).toContain(`The result of "${name}" does not fit its outputSchema:\n`);
    expect(content).toMatch(problems);
    expect(content).not.toMatch(/top-secret|hidden/);
  });

  it('is logged once, as a mistake of the application, without the values', async () => {
    await call('zod', { total: 'top-secret' });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(
      'Tool "zod" (Shop.zod) returned what its outputSchema does not accept: total: ',
    );
    expect(logged[0]).not.toContain('top-secret');
  });

  it('is told in full only up to a limit', async () => {
    const { content } = await call(
      'list',
      Array.from({ length: 50 }, () => ({ id: 'x' })),
    );
    expect((content as string).split('\n')).toHaveLength(23);
    expect(content).toContain('- and 30 more');
  });

  it('is an error where nothing was returned', async () => {
    expect((await call('zod', undefined)).content).toContain('- (whole result): ');
  });

  it('concerns no tool without one', async () => {
    expect((await call('unchecked', wrong)).status).toBe('success');
    expect(logged).toEqual([]);
  });
});

describe('the outputSchema of a tool definition', () => {
  it('describes the output side, of any type', async () => {
    app = await createApp({ providers: [Shop] });
    const schemaOf = (name: string) => app.get(ToolRegistry).get(name)?.outputSchema;
    expect(schemaOf('zod')).toMatchObject({
      source: 'zod',
      jsonSchema: {
        type: 'object',
        properties: { total: { type: 'number' }, currency: { type: 'string', default: 'CHF' } },
        required: ['total', 'currency'],
      },
    });
    expect(schemaOf('list')?.jsonSchema).toMatchObject({ type: 'array' });
    expect(schemaOf('text')?.jsonSchema).toEqual({ type: 'string', maxLength: 5 });
    expect(schemaOf('date')?.jsonSchema).toMatchObject({
      properties: { at: { type: 'string', format: 'date-time' }, n: {} },
    });
    expect(schemaOf('unchecked')).toBeUndefined();
    const standard = schemaOf('text')?.['~standard'];
    expect(standard?.jsonSchema.output({ target: 'draft-2020-12' })).toEqual({
      type: 'string',
      maxLength: 5,
    });
  });

  it('is listed for MCP, which knows no other output than an object', async () => {
    app = await createApp({ providers: [Shop] });
    const listed = new Map(
      app
        .get(ToolRegistry)
        .toMcp()
        .map((tool) => [tool.name, tool]),
    );
    expect(listed.get('zod')?.outputSchema).toMatchObject({
      type: 'object',
      required: ['total', 'currency'],
    });
    for (const name of ['list', 'text', 'unchecked']) {
      expect(listed.get(name)).not.toHaveProperty('outputSchema');
    }
  });

  it('that is no schema is a boot error', async () => {
    class Wrong {
      @Tool({ description: 'Anything.', outputSchema: 'text' as unknown as z.ZodType })
      run() {
        return 1;
      }
    }
    app = await createApp({});
    expect(await bootError({ providers: [Wrong] })).toContain(
      'Wrong.run: In the `outputSchema`: "text" is not a schema.',
    );
  });

  it('goes with a tool that is made at run time', async () => {
    app = await createApp({});
    await app.get(ToolRegistry).register({
      name: 'made',
      description: 'Anything.',
      inputSchema: z.object({ n: z.number() }),
      outputSchema: z.object({ n: z.number() }),
      execute: ({ n }) => ({ n, secret: 1 }),
    });
    expect((await callTool(app, 'made', { n: 1 })).content).toBe('{"n":1}');
  });

  it('does not need an input', async () => {
    class Both {
      @Tool({
        description: 'Anything.',
        inputSchema: z.object({ n: z.number() }),
        outputSchema: z.number(),
      })
      run(@ToolInput() { n }: { n: number }) {
        return n + 1;
      }
    }
    app = await createApp({ providers: [Both] });
    expect((await callTool(app, 'run', { n: 1 })).content).toBe('2');
  });
});
