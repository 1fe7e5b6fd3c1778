import { describe, expect, it } from '@jest/globals';
import { BadRequestException, HttpException, NotFoundException } from '@nestjs/common';
import { of } from 'rxjs';
import { filter, guard, interceptor, pipe } from './enhancers.js';
import { compareStack, differentRuns, sameRun, isNest11, type Stack } from './oracle.js';

const rethrow = (error: unknown) => {
  throw error;
};

const failing: Stack = { method: () => rethrow(new BadRequestException('bad')) };
const naming = (name: string, ...types: (typeof HttpException | typeof NotFoundException)[]) =>
  filter(name, () => `from ${name}`, ...types);

describe('when filters stand on several levels', () => {
  it.each<[string, Stack['filters']]>([
    [
      'method',
      { global: [naming('global')], class: [naming('class')], method: [naming('method')] },
    ],
    ['class', { global: [naming('global')], class: [naming('class')] }],
    ['global', { global: [naming('global')] }],
  ])('the one of the nearest level answers: %s', async (level, filters) => {
    expect(await sameRun({ ...failing, filters })).toEqual({
      trace: ['method hi', `filter ${level} BadRequestException: bad`],
      outcome: { value: `from ${level}` },
    });
  });

  it('one that catches other errors is passed over, one of a base class is not', async () => {
    expect(
      await sameRun({
        ...failing,
        filters: {
          global: [naming('global')],
          class: [naming('class', HttpException)],
          method: [naming('method', NotFoundException)],
        },
      }),
    ).toEqual({
      trace: ['method hi', 'filter class BadRequestException: bad'],
      outcome: { value: 'from class' },
    });
  });

  it('none of them catches, the error stays', async () => {
    expect(
      await sameRun({ ...failing, filters: { method: [naming('method', NotFoundException)] } }),
    ).toEqual({ trace: ['method hi'], outcome: { error: 'BadRequestException: bad' } });
  });

  it('of one level, the last one that catches the error answers, a catch-all or not', async () => {
    const all = naming('all');
    const http = naming('http', HttpException);
    const other = naming('other', NotFoundException);
    expect(await sameRun({ ...failing, filters: { method: [all, http, other] } })).toEqual({
      trace: ['method hi', 'filter http BadRequestException: bad'],
      outcome: { value: 'from http' },
    });
    expect(await sameRun({ ...failing, filters: { method: [http, all, other] } })).toEqual({
      trace: ['method hi', 'filter all BadRequestException: bad'],
      outcome: { value: 'from all' },
    });
    expect(await sameRun({ ...failing, filters: { global: [all, http] } })).toEqual({
      trace: ['method hi', 'filter http BadRequestException: bad'],
      outcome: { value: 'from http' },
    });
  });
});

describe('when a filter answers', () => {
  it.each<[string, () => unknown]>([
    ['with a value', () => ({ answer: 1 })],
    ['with a promise of one', () => Promise.resolve({ answer: 1 })],
  ])('%s, it is the result', async (_how, answer) => {
    expect(
      await sameRun({
        ...failing,
        filters: { method: [filter('method', answer)], class: [naming('class')] },
      }),
    ).toEqual({
      trace: ['method hi', 'filter method BadRequestException: bad'],
      outcome: { value: { answer: 1 } },
    });
  });

  it.each(['', 0, false, null])('with %j, it is the result, as in Nest 12', async (value) => {
    // Nest 11 takes every false value for no answer.
    const { ours, nest } = await compareStack({
      ...failing,
      filters: { method: [filter('method', () => value)] },
    });
    expect(ours.outcome).toEqual({ value });
    expect(nest.outcome).toEqual(isNest11 ? { error: 'BadRequestException: bad' } : { value });
  });

  it.each<[string, () => unknown]>([
    ['a guard', () => undefined],
    ['an interceptor', () => undefined],
    ['a pipe', () => undefined],
  ])('for an error of %s, too', async (kind) => {
    const broken = () => rethrow(new Error(kind));
    expect(
      await sameRun({
        ...(kind === 'a guard' ? { guards: { method: [guard('broken', broken)] } } : {}),
        ...(kind === 'an interceptor'
          ? { interceptors: { method: [interceptor('broken', broken)] } }
          : {}),
        ...(kind === 'a pipe' ? { pipes: { parameter: [pipe('broken', broken)] } } : {}),
        filters: { class: [naming('class')] },
      }),
    ).toEqual({
      trace: [brokenStage(kind), `filter class Error: ${kind}`],
      outcome: { value: 'from class' },
    });
  });

  it.each([
    ['a text', 'text'],
    ['nothing', undefined],
  ])('for %s that was thrown, only a catch-all does', async (_what, thrown) => {
    expect(
      await sameRun({
        method: () => rethrow(thrown),
        filters: { class: [naming('class')], method: [naming('method', HttpException)] },
      }),
    ).toEqual({
      trace: ['method hi', `filter class ${String(thrown)}`],
      outcome: { value: 'from class' },
    });
  });

  it('with an Observable, its last value is the result, where Nest gives the Observable', async () => {
    // A model cannot read an Observable.
    expect(
      await differentRuns({ ...failing, filters: { method: [filter('method', () => of(1, 2))] } }),
    ).toMatchObject({
      ours: { outcome: { value: 2 } },
      nest: { outcome: { value: expect.any(Object) } },
    });
  });
});

function brokenStage(kind: string): string {
  const stages: Record<string, string> = {
    'a guard': 'guard broken',
    'an interceptor': '> broken',
    'a pipe': 'pipe broken custom text String: hi',
  };
  return stages[kind];
}

describe('when a filter does not answer', () => {
  const trace = ['method hi', 'filter method BadRequestException: bad'];

  it('but returns nothing, the error stays, and no other filter is asked', async () => {
    expect(
      await sameRun({
        ...failing,
        filters: { class: [naming('class')], method: [filter('method', () => undefined)] },
      }),
    ).toEqual({ trace, outcome: { error: 'BadRequestException: bad' } });
  });

  it('but promises nothing, the error stays, too, where Nest makes it a success', async () => {
    // An asynchronous filter that writes to a response has not made the call a success.
    expect(
      await differentRuns({
        ...failing,
        filters: { method: [filter('method', () => Promise.resolve())] },
      }),
    ).toMatchObject({
      ours: { trace, outcome: { error: 'BadRequestException: bad' } },
      nest: { trace, outcome: { value: undefined } },
    });
  });

  it.each<[string, () => unknown]>([
    ['throws', () => rethrow(new NotFoundException('none'))],
    ['rejects with', () => Promise.reject(new NotFoundException('none'))],
  ])('but %s another HttpException, that counts', async (_how, handle) => {
    expect(
      await sameRun({
        ...failing,
        filters: { class: [naming('class')], method: [filter('method', handle)] },
      }),
    ).toEqual({ trace, outcome: { error: 'NotFoundException: none' } });
  });

  it('but crashes, the error of the tool is kept, which Nest loses', async () => {
    // Filters written for HTTP crash on the missing response, and would hide every error of a tool.
    const crash = expect.stringContaining('crashed in a tool call (no response)');
    expect(
      await differentRuns({
        ...failing,
        filters: { method: [filter('method', () => rethrow(new TypeError('no response')))] },
      }),
    ).toMatchObject({
      ours: { trace, outcome: { error: crash } },
      nest: { trace, outcome: { error: 'TypeError: no response' } },
    });
  });
});
