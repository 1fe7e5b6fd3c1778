import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  createParamDecorator,
  Injectable,
  UseFilters,
  UsePipes,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { CurrentToolCall, Tool, ToolInput, ToolParam, ToolSignal } from 'nestjs-agent-tools';
import { z } from 'zod';
import { createApp } from '../../support/app.js';
import { filter, guard, pipe } from './enhancers.js';
import { Journal } from './journal.js';
import { compare, compareStack, sameRun, REQUEST, type Comparison } from './oracle.js';

const refuse = (message: string) => () => {
  throw new BadRequestException(message);
};

const User = createParamDecorator(
  (prefix: string, context: ExecutionContext) =>
    `${prefix} ${context.switchToHttp().getRequest<typeof REQUEST>().user}`,
);
const Later = createParamDecorator((value: string) => Promise.resolve(value));
const Broken = createParamDecorator(refuse('no user'));

@Injectable()
class ParameterTools {
  constructor(private readonly journal: Journal) {}

  @Tool('Anything.')
  injected(@User('hello', pipe('parameter')) user: string, @Later('later') later: string) {
    return this.journal.record(`method ${user} ${later}`);
  }

  @Tool('Anything.')
  awaited(@Later('later', pipe('parameter', (value) => `${String(value)}!`)) later: string) {
    return this.journal.record(`method ${later}`);
  }

  @Tool('Anything.')
  @UseFilters(filter('method', (error) => `filtered ${(error as Error).message}`))
  broken(@Broken() user: string) {
    return this.journal.record(`method ${user}`);
  }

  @Tool({ description: 'Anything.', inputSchema: z.object({ text: z.string() }) })
  whole(@ToolInput(pipe('parameter', (value) => value)) input: { text: string }) {
    return this.journal.record(`method ${input.text}`);
  }

  @Tool('Anything.')
  optional(@ToolParam('text', { required: false }, pipe('parameter', () => 'given')) text: string) {
    return this.journal.record(`method ${text}`);
  }

  @Tool('Anything.')
  @UsePipes(pipe('method'))
  two(
    @ToolParam('text', pipe('first')) text: string,
    @ToolParam('other', pipe('second')) other: string,
  ) {
    return this.journal.record(`method ${text} ${other}`);
  }

  @Tool('Anything.')
  @UsePipes(pipe('method'))
  bothRefused(
    @ToolParam('text', pipe('first', refuse('first'))) text: string,
    @ToolParam('other', pipe('second', refuse('second'))) other: string,
  ) {
    return this.journal.record(`method ${text} ${other}`);
  }

  @Tool('Anything.')
  @UsePipes(pipe('method'))
  framework(@CurrentToolCall() call: { name: string }, @ToolSignal() signal: AbortSignal) {
    return this.journal.record(`method ${call.name} ${signal.aborted}`);
  }

  @Tool('Anything.')
  none() {
    // oxlint-disable-next-line prefer-rest-params -- a rest parameter would be one without a decorator
    return this.journal.record(`method ${arguments.length} arguments`);
  }
}

async function compareMethod(
  methodName: keyof ParameterTools,
  input: Record<string, unknown> = {},
): Promise<Comparison> {
  const journal = new Journal();
  const app = await createApp({
    providers: [{ provide: Journal, useValue: journal }, ParameterTools as Type],
  });
  try {
    return await compare({ app, token: ParameterTools, journal, methodName, input });
  } finally {
    await app.close();
  }
}

describe('when parameters are filled', () => {
  it.each<[string, keyof ParameterTools, Record<string, unknown>, string[]]>([
    [
      'decorators of the application get their data and the request',
      'injected',
      {},
      ['pipe parameter custom hello String: hello Ada', 'method hello Ada later'],
    ],
    [
      'pipes see what the promise of a decorator resolves to',
      'awaited',
      {},
      ['pipe parameter custom later String: later', 'method later!'],
    ],
    [
      'pipes see the whole input as a custom parameter',
      'whole',
      { text: 'hi' },
      ['pipe parameter custom - Object: [object Object]', 'method hi'],
    ],
    [
      'pipes fill in what is missing',
      'optional',
      {},
      ['pipe parameter custom text String: undefined', 'method given'],
    ],
  ])('%s', async (_what, methodName, input, trace) => {
    const { ours, nest } = await compareMethod(methodName, input);
    expect(ours).toEqual(nest);
    expect(ours).toEqual({ trace, outcome: { value: undefined } });
  });

  it('an error of a decorator goes to the filters', async () => {
    const { ours, nest } = await compareMethod('broken');
    expect(ours).toEqual(nest);
    expect(ours).toEqual({
      trace: ['filter method BadRequestException: no user'],
      outcome: { value: 'filtered no user' },
    });
  });

  it.each<[string, () => unknown]>([
    ['throws', refuse('no')],
    ['rejects', () => Promise.reject(new BadRequestException('no'))],
  ])('a pipe that %s keeps the pipes behind it and the method from running', async (_how, no) => {
    expect(
      await sameRun({
        pipes: { class: [pipe('class', no)], method: [pipe('method')], parameter: [pipe('own')] },
      }),
    ).toEqual({
      trace: ['pipe class custom text String: hi'],
      outcome: { error: 'BadRequestException: no' },
    });
  });
});

describe('when several parameters pass pipes', () => {
  const [first, second] = ['custom text String: a', 'custom other String: b'];

  it('they do so one after the other, where Nest takes turns, and the last one first', async () => {
    // What is not asynchronous takes no turns here: a promise for each pipe would be most of the cost.
    const { ours, nest } = await compareMethod('two', { text: 'a', other: 'b' });
    expect(ours.trace).toEqual([
      `pipe method ${first}`,
      `pipe first ${first}`,
      `pipe method ${second}`,
      `pipe second ${second}`,
      'method a b',
    ]);
    // From the last to the first, as TypeScript runs the decorators of parameters.
    expect(nest.trace).toEqual([
      `pipe method ${second}`,
      `pipe method ${first}`,
      `pipe second ${second}`,
      `pipe first ${first}`,
      'method a b',
    ]);
  });

  it('the first one that is refused ends the call, where Nest still runs the pipes of the others', async () => {
    const { ours, nest } = await compareMethod('bothRefused', { text: 'a', other: 'b' });
    expect(ours.outcome).toEqual({ error: 'BadRequestException: first' });
    expect(nest.outcome).toEqual({ error: 'BadRequestException: second' });
    expect(ours.trace).toEqual([`pipe method ${first}`, `pipe first ${first}`]);
    expect(nest.trace).toHaveLength(4);
  });
});

describe('when parameters are not what Nest takes them for', () => {
  it('what the framework injects passes no pipes, while Nest knows it as a custom parameter', async () => {
    // A validation pipe of the application would refuse, or copy, what is none of its business.
    const { ours, nest } = await compareMethod('framework');
    expect(ours.trace).toEqual(['method framework false']);
    expect(nest.trace).toHaveLength(3);
    expect(nest.trace.at(-1)).toBe('method framework false');
  });

  it('a method without parameters gets no arguments, while Nest hands over the request', async () => {
    const { ours, nest } = await compareMethod('none');
    expect(ours.trace).toEqual(['method 0 arguments']);
    expect(nest.trace).toEqual(['method 4 arguments']);
  });

  it('input that does not fit never reaches pipes, while Nest knows no input', async () => {
    const { ours, nest } = await compareMethod('whole', { text: 1 });
    expect(ours.trace).toEqual([]);
    expect(ours.outcome).toEqual({ error: expect.stringContaining('ToolArgumentsException') });
    expect(nest.trace).toHaveLength(2);
  });

  it('a guard that denies comes before the validation', async () => {
    const denying = guard('method', () => false);
    const { ours } = await compareStack({ guards: { method: [denying] } }, { text: 1 });
    expect(ours).toEqual({
      trace: ['guard method'],
      outcome: { error: 'ForbiddenException: Forbidden resource' },
    });
  });
});
