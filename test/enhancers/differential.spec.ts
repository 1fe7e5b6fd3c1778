/**
 * The same tool through this package and through Nest's own `ExternalContextCreator`, on the forms of
 * hosts that Nest handles: what runs, in which order, and how it ends must be the same.
 */
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createParamDecorator,
  ForbiddenException,
  Injectable,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ExecutionContext,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { from, of, throwError } from 'rxjs';
import { Tool, ToolCall, ToolParam } from 'nestjs-agent-tools';
import { createApp } from '../support/app.js';
import { filter, guard, interceptor, pipe } from './differential/enhancers.js';
import { Journal } from './differential/journal.js';
import { compare, sameRun, REQUEST } from './differential/oracle.js';

const describeContext = (context: ExecutionContext) =>
  [
    context.getType(),
    `${context.getClass().name}.${context.getHandler().name}`,
    Reflect.getMetadata('mark', context.getHandler()) as unknown,
    context.switchToHttp().getRequest() === REQUEST,
    context.getArgByIndex<unknown>(3) instanceof ToolCall,
    context.getArgs().length,
  ].join(' ');

const seeing = (context: ExecutionContext, journal: Journal) => {
  journal.record(describeContext(context));
  return true;
};

const User = createParamDecorator((data: string, context: ExecutionContext) => {
  const { user } = context.switchToHttp().getRequest<{ user: string }>();
  return `${data} ${user} ${describeContext(context)}`;
});

const rethrow = (error: unknown) => {
  throw error;
};

@Injectable()
@UseGuards(guard('class 1'), guard('class 2'))
@UseInterceptors(interceptor('class 1'), interceptor('class 2'))
@UsePipes(pipe('class 1'), pipe('class 2'))
@UseFilters(filter('class', rethrow))
class BaseTools {
  constructor(readonly journal: Journal) {}

  @Tool('Anything.')
  @SetMetadata('mark', 'marked')
  @UseGuards(guard('method 1', seeing), guard('method 2'))
  @UseInterceptors(
    interceptor('method 1', (next, journal, context) => {
      journal.record(describeContext(context));
      return next.handle();
    }),
    interceptor('method 2'),
  )
  @UsePipes(pipe('method 1'), pipe('method 2'))
  @UseFilters(filter('method 1', rethrow), filter('method 2', rethrow))
  run(@ToolParam('text', pipe('parameter 1'), pipe('parameter 2')) text: string) {
    this.journal.record(`method ${text} ${this.constructor.name}`);
    if (text === 'throw') throw new Error('from the method');
    return `ran ${text}`;
  }

  @Tool('Anything.')
  @SetMetadata('mark', 'injected')
  inject(@User('hello', pipe('parameter 1')) user: string) {
    this.journal.record(`method ${user}`);
    return user;
  }
}

@Injectable()
class PlainTools extends BaseTools {
  @Tool('Anything.')
  override run(@ToolParam('text', pipe('parameter')) text: string) {
    this.journal.record(`override ${text}`);
    return `overridden ${text}`;
  }
}

@Injectable()
class InheritingTools extends BaseTools {}

@Injectable()
@UseGuards(guard('subclass'))
class NarrowingTools extends BaseTools {}

const globals: Provider[] = [
  { provide: APP_GUARD, useClass: guard('global 1') },
  { provide: APP_GUARD, useClass: guard('global 2') },
  { provide: APP_INTERCEPTOR, useClass: interceptor('global 1') },
  { provide: APP_INTERCEPTOR, useClass: interceptor('global 2') },
  { provide: APP_PIPE, useClass: pipe('global 1') },
  { provide: APP_PIPE, useClass: pipe('global 2') },
  { provide: APP_FILTER, useClass: filter('global', rethrow) },
];

interface Form {
  readonly provider: Provider;
  readonly token: Type | string;
}

const forms: Record<string, Form> = {
  'a class': { provider: BaseTools, token: BaseTools },
  'useClass under a text': { provider: { provide: 'HOST', useClass: BaseTools }, token: 'HOST' },
  'useClass under itself': {
    provider: { provide: BaseTools, useClass: BaseTools },
    token: BaseTools,
  },
  'a subclass': { provider: InheritingTools, token: InheritingTools },
  'a subclass with guards of its own': { provider: NarrowingTools, token: NarrowingTools },
  'a subclass with the method and @Tool() of its own': { provider: PlainTools, token: PlainTools },
};

let app: TestingModule | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function compareForm({ provider, token }: Form, methodName: string, text: string) {
  const journal = new Journal();
  app = await createApp({
    providers: [{ provide: Journal, useValue: journal }, provider, ...globals],
  });
  const input = methodName === 'run' ? { text } : {};
  return compare({ app, token, journal, methodName, input });
}

describe.each(Object.entries(forms))('when the host is %s', (_label, form) => {
  it.each([
    ['returns', 'run', 'hi'],
    ['throws', 'run', 'throw'],
    ['takes what a parameter decorator of the application gives', 'inject', ''],
  ])('runs what Nest runs if the method %s', async (_what, methodName, text) => {
    const { ours, nest } = await compareForm(form, methodName, text);
    expect(ours).toEqual(nest);
    expect(ours.trace.filter((entry) => /^(method|override) /.test(entry))).toHaveLength(1);
    expect(ours.trace.filter((entry) => entry.startsWith('guard')).length).toBeGreaterThan(3);
  });
});

describe('when enhancers of every kind stand on every level', () => {
  it('runs them in this order', async () => {
    const { ours, nest } = await compareForm(forms['a class'], 'run', 'throw');
    const context = 'agent-tool BaseTools.run marked true true 4';
    const levels = ['global 1', 'global 2', 'class 1', 'class 2', 'method 1', 'method 2'];
    const before = (kind: string) =>
      levels.flatMap((level) =>
        level === 'method 1' ? [`${kind} ${level}`, context] : [`${kind} ${level}`],
      );
    expect(ours.trace).toEqual([
      ...before('guard'),
      ...before('>'),
      ...[...levels, 'parameter 1', 'parameter 2'].map(
        (level) => `pipe ${level} custom text String: throw`,
      ),
      'method throw BaseTools',
      ...levels.toReversed().map((level) => `! ${level} Error: from the method`),
      'filter method 2 Error: from the method',
    ]);
    expect(nest).toEqual(ours);
  });
});

describe('when a guard', () => {
  const denials: [string, () => unknown][] = [
    ['says no', () => false],
    ['returns nothing', () => undefined],
    ['promises no', () => Promise.resolve(false)],
    ['answers with an Observable that ends with no', () => from([true, false])],
    ['promises an Observable of no', () => Promise.resolve(of(false))],
  ];

  it.each(denials)('%s, neither way runs the rest', async (_what, answer) => {
    const trace = ['guard first', 'guard second'];
    expect(
      await sameRun({
        guards: {
          global: [guard('first')],
          class: [guard('second', answer)],
          method: [guard('third')],
        },
        interceptors: { global: [interceptor('never')] },
        pipes: { global: [pipe('never')] },
      }),
    ).toEqual({ trace, outcome: { error: 'ForbiddenException: Forbidden resource' } });
  });

  it.each<[string, () => unknown]>([
    ['throws', () => rethrow(new ForbiddenException('not you'))],
    ['rejects', () => Promise.reject(new ForbiddenException('not you'))],
    [
      'answers with an Observable that fails',
      () => throwError(() => new ForbiddenException('not you')),
    ],
  ])(
    '%s, neither way runs the rest, and the nearest filter sees the error',
    async (_what, answer) => {
      expect(
        await sameRun({
          guards: { method: [guard('first', answer), guard('second')] },
          interceptors: { method: [interceptor('never')] },
          filters: { class: [filter('class', rethrow)] },
        }),
      ).toEqual({
        trace: ['guard first', 'filter class ForbiddenException: not you'],
        outcome: { error: 'ForbiddenException: not you' },
      });
    },
  );

  it.each<[string, () => unknown]>([
    ['says yes', () => true],
    ['promises yes', () => Promise.resolve(true)],
    ['answers with an Observable that ends with yes', () => from([false, true])],
    ['promises an Observable of yes', () => Promise.resolve(of(true))],
    ['answers with something true', () => 'yes'],
  ])('%s, both ways ask the next one and run the method', async (_what, answer) => {
    expect(
      await sameRun({ guards: { class: [guard('first', answer)], method: [guard('second')] } }),
    ).toEqual({
      trace: ['guard first', 'guard second', 'method hi'],
      outcome: { value: 'ran hi' },
    });
  });
});
