import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createParamDecorator,
  StandardSchemaValidationPipe,
  UsePipes,
  type ArgumentMetadata,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { type } from 'arktype';
import { CurrentToolCall, Tool, ToolCall, ToolInput, ToolParam } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { createApp } from '../support/app.js';

const validateAll = () => new StandardSchemaValidationPipe({ validateCustomDecorators: true });

const User = z.object({ id: z.string(), age: z.string().transform(Number) });
const Input = z.object({ text: z.string(), count: z.string().transform(Number) });
const Arrow = type({ n: 'string.integer.parse' });

const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<{ user: unknown }>().user,
) as unknown as (options: { schema: unknown }) => ParameterDecorator;

const seen: ArgumentMetadata[] = [];

class SpyPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata) {
    seen.push(metadata);
    return value;
  }
}

class TextDto extends createZodDto(z.object({ text: z.string() })) {}

class Tools {
  @Tool({ description: 'The whole input.', inputSchema: Input })
  whole(
    @ToolInput() input: z.output<typeof Input>,
    @CurrentUser({ schema: User }) user: z.output<typeof User>,
    @CurrentToolCall() call: ToolCall,
  ) {
    return { input, user, id: typeof call.id };
  }

  @Tool('Fields.')
  fields(
    @ToolParam('count', { schema: z.string().transform(Number) }) count: number,
    @ToolParam('arrow', { schema: Arrow }) arrow: { n: number },
    @ToolParam('raw', { schema: { type: 'string' } }) raw: string,
    @ToolParam('plain') plain: string,
  ) {
    return { count, arrow, raw, plain };
  }

  @Tool('A DTO.')
  dto(@ToolInput() input: TextDto) {
    return input;
  }
}

class MethodTools {
  @Tool({ description: 'With a pipe of its own.', inputSchema: Input })
  @UsePipes(validateAll())
  own(
    @ToolInput() input: z.output<typeof Input>,
    @CurrentUser({ schema: User }) user: z.output<typeof User>,
  ) {
    return { input, user };
  }
}

const request = { user: { id: 'u', age: '30' } };
let app: TestingModule;
afterEach(async () => {
  seen.length = 0;
  await app.close();
});

describe('pipes of a tool', () => {
  it('get the Standard Schema of an input and of a field in their metadata', async () => {
    app = await createApp({ providers: [Tools, { provide: APP_PIPE, useClass: SpyPipe }] });
    await callTool(app, 'whole', { text: 'a', count: '2' }, { request });
    await callTool(app, 'fields', { count: '2', arrow: { n: '3' }, raw: 'x', plain: 'y' });
    const [whole, , count, arrow, raw, plain] = seen.map(({ schema }) => schema as unknown);
    expect(whole).toBeInstanceOf(z.ZodObject);
    expect((whole as typeof Input).shape).toBe(Input.shape);
    expect((count as z.ZodType).parse('5')).toBe(5);
    expect((arrow as typeof Arrow)({ n: '4' })).toEqual({ n: 4 });
    expect(raw).toBeUndefined();
    expect(plain).toBeUndefined();
  });

  it('are not told of a schema where the value is injected by the framework', async () => {
    app = await createApp({ providers: [Tools, { provide: APP_PIPE, useClass: SpyPipe }] });
    await callTool(app, 'dto', { text: 'a' });
    expect(seen).toEqual([
      expect.objectContaining({ type: 'custom', metatype: TextDto, data: undefined }),
    ]);
    expect(seen[0].schema).toBeUndefined();
  });
});

describe("Nest's StandardSchemaValidationPipe", () => {
  const globalPipe = { provide: APP_PIPE, useFactory: validateAll };

  it('validates and transforms a parameter made by createParamDecorator()', async () => {
    app = await createApp({ providers: [Tools, globalPipe] });
    const { value } = await callTool(app, 'whole', { text: 'a', count: '2' }, { request });
    expect(value).toMatchObject({ user: { id: 'u', age: 30 } });
  });

  it('refuses what such a decorator gives wrongly', async () => {
    app = await createApp({ providers: [Tools, globalPipe] });
    const result = await callTool(
      app,
      'whole',
      { text: 'a', count: '2' },
      { request: { user: { id: 1, age: '30' } } },
    );
    expect(result.status).toBe('error');
    expect(result.content).toContain('id: ');
  });

  it('does not validate the output of a transform as if it were an input', async () => {
    app = await createApp({ providers: [Tools, globalPipe] });
    const whole = await callTool(app, 'whole', { text: 'a', count: '2' }, { request });
    expect(whole.value).toMatchObject({ input: { text: 'a', count: 2 } });
    const fields = { count: '2', arrow: { n: '3' }, raw: 'x', plain: 'y' };
    expect((await callTool(app, 'fields', fields)).value).toEqual({
      count: 2,
      arrow: { n: 3 },
      raw: 'x',
      plain: 'y',
    });
  });

  it('validates what an earlier pipe has changed', async () => {
    class Broken implements PipeTransform {
      transform(value: unknown, { data }: ArgumentMetadata) {
        return data === 'count' ? 'not a number' : value;
      }
    }
    app = await createApp({
      providers: [Tools, { provide: APP_PIPE, useValue: new Broken() }, globalPipe],
    });
    const fields = { count: '2', arrow: { n: '3' }, raw: 'x', plain: 'y' };
    const { value } = await callTool(app, 'fields', fields);
    expect(value).toMatchObject({ count: Number.NaN });
  });

  it('works on a method', async () => {
    app = await createApp({ providers: [MethodTools] });
    const { value } = await callTool(app, 'own', { text: 'a', count: '2' }, { request });
    expect(value).toEqual({ input: { text: 'a', count: 2 }, user: { id: 'u', age: 30 } });
  });

  it('leaves values alone without `validateCustomDecorators`, as on a controller', async () => {
    app = await createApp({
      providers: [Tools, { provide: APP_PIPE, useClass: StandardSchemaValidationPipe }],
    });
    const { value } = await callTool(app, 'whole', { text: 'a', count: '2' }, { request });
    expect(value).toMatchObject({ user: { id: 'u', age: '30' } });
  });
});
