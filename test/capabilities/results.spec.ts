/** What the runtime of tools does, each thing once, as an application uses it: results and errors. */
import { describe, expect, it } from '@jest/globals';
import { Injectable, NotFoundException, UnprocessableEntityException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AgentRunException,
  AgentService,
  AgentToolsModule,
  tool,
  ToolExecutor,
  ToolFailedException,
  ToolResult,
  type ToolResultConverter,
} from 'nestjs-agent-tools';
import { scripted } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { only, readAll } from '../loop/support/events.js';
import { moduleOf } from '../support/app.js';
import { readings, start } from './support/start.js';

const work = (execute: () => unknown) => tool({ name: 'work', description: 'Works.' }, execute);
const throwing = (error: unknown) =>
  work(() => {
    throw error;
  });

const cycle: { name: string; self?: unknown } = { name: 'ring' };
cycle.self = cycle;

describe('what the model reads of what a tool returns', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing', undefined, 'Success'],
    ['a text, as it is', 'It is "here".', 'It is "here".'],
    ['an empty text', '', '(no output)'],
    ['null', null, 'null'],
    ['a number', -1.5, '-1.5'],
    ['an object', { a: [1, true] }, '{"a":[1,true]}'],
    ['a bigint', { n: 2n ** 64n }, '{"n":"18446744073709551616"}'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['a map', new Map([['a', 1]]), '{"a":1}'],
    ['a set', new Set([1, 2]), '[1,2]'],
    ['a cycle', cycle, '{"name":"ring","self":"[circular]"}'],
    [
      'parts',
      new ToolResult([{ type: 'image', url: 'data:image/png;base64,AA==' }], { value: 'chart' }),
      [{ type: 'image', url: 'data:image/png;base64,AA==' }],
    ],
  ])('%s', async (_what, value, expected) => {
    const { step } = await start({ tools: [work(() => value)] });
    const { results, model } = await step([{ tool: 'work' }]);
    expect(readings(model)).toEqual([expected]);
    expect(results[0].status).toBe('success');
  });

  it('may be made by a converter with what it depends on, and the application gets the value', async () => {
    class Currency {
      readonly sign = '€';
    }
    @Injectable()
    class PriceConverter implements ToolResultConverter<number> {
      constructor(private readonly currency: Currency) {}
      convert(price: number) {
        return `${price} ${this.currency.sign}`;
      }
    }
    const price = tool(
      { name: 'price', description: 'Tells a price.', resultConverter: PriceConverter },
      () => 9,
    );
    const { step } = await start({ tools: [price], providers: [Currency, PriceConverter] });
    const { results, model } = await step([{ tool: 'price' }]);
    expect(readings(model)).toEqual(['9 €']);
    expect(results[0].value).toBe(9);
  });

  it('is cut where it is too long, and says so', async () => {
    const { step } = await start({
      tools: [work(() => 'x'.repeat(500))],
      module: { toolDefaults: { maxResultLength: 10 } },
    });
    const { results, model } = await step([{ tool: 'work' }]);
    expect(readings(model)).toEqual([`${'x'.repeat(10)}\n[cut: the first 10 of 500 characters]`]);
    expect(results[0].value).toHaveLength(500);
  });
});

describe('what the model reads of what a tool throws', () => {
  const leak = new Error('postgres://ada:hunter2@db:5432 does not answer.');

  it('is what the tool says on purpose, or the message that an HTTP exception has for users', async () => {
    for (const [error, expected] of [
      [new ToolFailedException('There is no order A-1.'), 'There is no order A-1.'],
      [new NotFoundException('No such order.'), 'No such order.'],
      [
        new UnprocessableEntityException(['from must be a date', 'to must be a date']),
        'from must be a date\nto must be a date\nCorrect the call and try again.',
      ],
    ] as const) {
      const { step } = await start({ tools: [throwing(error)] });
      const { results, model } = await step([{ tool: 'work' }]);
      expect(readings(model)).toEqual([expected]);
      expect(results).toMatchObject([{ status: 'error', error }]);
    }
  });

  it('is nothing but an id of an error that nobody expected', async () => {
    const { step } = await start({ tools: [throwing(leak)] });
    const { results, model } = await step([{ tool: 'work' }]);
    expect(readings(model)).toEqual([
      expect.stringMatching(/^"work" failed unexpectedly \(error id [0-9a-f]{8}\)\.$/),
    ]);
    expect(results[0].error).toBe(leak);
  });

  it('is its message if the application wants that, without credentials and without a stack', async () => {
    const { step } = await start({
      tools: [throwing(leak)],
      module: { toolDefaults: { errors: 'message' } },
    });
    const [text] = readings((await step([{ tool: 'work' }])).model);
    expect(text).toContain('does not answer.');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('at ');
  });

  it('is what a handler makes of it', async () => {
    const onExecutionError = () => 'The shop is closed. Ask again tomorrow.';
    const { step } = await start({ tools: [throwing(leak)] });
    const { results, model } = await step([{ tool: 'work' }], {
      toolOverrides: { onExecutionError },
    });
    expect(readings(model)).toEqual(['The shop is closed. Ask again tomorrow.']);
    expect(results[0].status).toBe('error');
  });

  it('is nothing where a handler throws: then the run fails with it', async () => {
    const { run } = await start({ tools: [throwing(leak)] });
    const onExecutionError = () => {
      throw leak;
    };
    const failure: unknown = await run([{ tool: 'work' }], {
      toolOverrides: { onExecutionError },
    }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AgentRunException);
    expect((failure as AgentRunException).cause).toBe(leak);
  });
});

function fail(): never {
  throw new Error('closed');
}

describe('a result that is the answer of the run', () => {
  const plain = tool({ name: 'plain', description: 'For the model.' }, () => 'plain');
  const direct = tool(
    { name: 'direct', description: 'For the user.', returnDirect: true },
    () => 'direct',
  );
  const last = tool(
    { name: 'last', description: 'For the user, at the end.', returnDirect: 'if-last' },
    () => 'last',
  );
  const broken = tool(
    { name: 'broken', description: 'For the user, but.', returnDirect: true },
    fail,
  );
  const tools = [plain, direct, last, broken];

  it.each([
    [['plain'], undefined],
    [['direct'], 'direct'],
    [['last'], 'last'],
    [['direct', 'direct'], 'direct\n\ndirect'],
    [['direct', 'plain'], undefined],
    [['plain', 'direct'], undefined],
    [['plain', 'last'], 'last'],
    [['last', 'plain'], undefined],
    [['direct', 'last'], 'direct\n\nlast'],
    [['broken'], undefined],
    [['broken', 'last'], undefined],
  ])('when a step calls %j: %j', async (names, answer) => {
    const { run } = await start({ tools });
    const calls = names.map((name) => ({ tool: name }));
    const { result, model } = await run(answer ? [calls] : [calls, 'Done.']);
    expect(model.requests).toHaveLength(answer ? 1 : 2);
    expect(result.finishReason).toBe(answer ? 'return-direct' : 'stop');
    expect(result.text).toBe(answer ?? 'Done.');
  });
});

describe('whether a tool gives one value or many', () => {
  const one = tool({ name: 'one', description: 'One value.' }, () => 'all');
  const many = tool({ name: 'many', description: 'Many values.' }, async function* () {
    yield await Promise.resolve('a');
    yield 'b';
  });

  it.each([
    ['one', [], 'all'],
    ['many', ['a', 'b'], 'b'],
  ])('is its own affair: %s works in run(), stream() and execute()', async (name, values, last) => {
    const { agent, call, step } = await start({ tools: [one, many] });
    expect((await call(name)).value).toBe(last);
    expect((await step([{ tool: name }])).results[0].value).toBe(last);
    const model = scripted([{ tool: name }, 'Done.']);
    const { events } = await readAll(agent.stream('Go.', { model }));
    expect(only(events, 'tool-progress').map(({ value }) => value)).toEqual(values);
    expect(only(events, 'tool-result')).toMatchObject([{ status: 'success', value: last }]);
  });
});

describe('tools without a web server', () => {
  const add = tool(
    {
      name: 'add',
      description: 'Add two numbers.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
    },
    ({ a, b }) => a + b,
  );
  const root = moduleOf({
    imports: [
      AgentToolsModule.forRoot({
        model: scripted([{ tool: 'add', arguments: { a: 1, b: 2 } }, '3.']),
      }),
      AgentToolsModule.forFeature({ tools: [add] }),
    ],
  });

  it('are called by code and by an agent in a bare application context', async () => {
    const app = await NestFactory.createApplicationContext(root, { logger: false });
    const executor = app.get(ToolExecutor, { strict: false });
    expect(await executor.execute('add', { a: 20, b: 22 })).toMatchObject({ value: 42 });
    expect(await executor.execute('add', { a: 20 })).toMatchObject({ status: 'error' });
    const { text } = await app.get(AgentService, { strict: false }).run('1 + 2?');
    expect(text).toBe('3.');
    await app.close();
  });
});
