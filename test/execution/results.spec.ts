import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { from, of, throwError } from 'rxjs';
import { Tool, ToolResult } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { createApp } from '../support/app.js';

class Returner {
  next: () => unknown = () => undefined;

  @Tool('Returns.')
  give() {
    return this.next();
  }
}

let app: TestingModule;
beforeAll(async () => {
  app = await createApp({ providers: [Returner] });
});
afterAll(() => app.close());

function give(next: () => unknown) {
  app.get(Returner).next = next;
  return callTool(app, 'give', {});
}

const circular: Record<string, unknown> = { name: 'loop' };
circular.self = circular;
const circularMap = new Map<string, unknown>();
circularMap.set('self', circularMap);

async function* asyncNumbers() {
  yield 1;
  await Promise.resolve();
  yield 2;
}
function* numbers() {
  yield 1;
  return 9;
}

describe('what the model reads when a tool returns', () => {
  it.each<[string, () => unknown, string]>([
    ['nothing', () => undefined, 'Success'],
    ['null', () => null, 'null'],
    ['a text', () => 'as it is', 'as it is'],
    ['an empty text', () => '', '(no output)'],
    ['an empty list', () => [], '[]'],
    ['false', () => false, 'false'],
    ['zero', () => 0, '0'],
    ['an object', () => ({ a: 1, b: [true] }), '{"a":1,"b":[true]}'],
    ['a promise', () => Promise.resolve({ a: 1 }), '{"a":1}'],
    ['a bigint', () => 12345678901234567890n, '"12345678901234567890"'],
    ['a nested bigint', () => ({ id: 7n }), '{"id":"7"}'],
    ['a map', () => new Map([['a', 1]]), '{"a":1}'],
    ['a map with other keys', () => new Map([[1, 'a']]), '[[1,"a"]]'],
    ['a set', () => new Set([1, 2]), '[1,2]'],
    ['a date', () => new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [
      'an error',
      () => ({ error: new Error('boom') }),
      '{"error":{"name":"Error","message":"boom"}}',
    ],
    ['a circular object', () => circular, '{"name":"loop","self":"[circular]"}'],
    ['a circular map', () => circularMap, '{"self":"[circular]"}'],
    ['the same object twice', () => [[circular.name], [circular.name]], '[["loop"],["loop"]]'],
    ['a function', () => () => 1, '(a function without a text form)'],
    ['a symbol', () => Symbol('x'), '(a symbol without a text form)'],
    ['numbers that look like parts', () => [1, 2], '[1,2]'],
    [
      'parts among others',
      () => [{ type: 'text', text: 'x' }, 1],
      '[{"type":"text","text":"x"},1]',
    ],
    ['half an emoji', () => 'ab\ud83d', 'ab\ufffd'],
    ['an Observable', () => from([1, 2, 3]), '3'],
    ['an Observable of one object', () => of({ a: 1 }), '{"a":1}'],
    ['an async generator', asyncNumbers, '2'],
    ['a generator that returns a value', numbers, '9'],
  ])('%s', async (_kind, next, content) => {
    expect(await give(next)).toMatchObject({ status: 'success', content });
  });

  it('known parts as they are', async () => {
    const parts = [
      { type: 'text', text: 'x' },
      { type: 'image', url: 'data:image/png;base64,AA==' },
    ] as const;
    expect((await give(() => parts)).content).toEqual(parts);
    const result = await give(
      () => new ToolResult([...parts, { type: 'text', text: '' }], { value: 7 }),
    );
    expect(result.content).toEqual([...parts, { type: 'text', text: '(no output)' }]);
    expect(result.value).toBe(7);
    expect((await give(() => new ToolResult([]))).content).toBe('(no output)');
  });

  it('a long text cut at a border between code points, with a notice', async () => {
    const { content } = await give(() => 'x'.repeat(39_999) + '😀'.repeat(10));
    expect(content).toBe(`${'x'.repeat(39_999)}\n[cut: the first 39999 of 40019 characters]`);
    expect((content as string).isWellFormed()).toBe(true);
  });

  it('errors of lazy values as errors', async () => {
    expect((await give(() => throwError(() => new Error('late')))).status).toBe('error');
    const broken = async function* () {
      yield 1;
      throw new Error('late');
    };
    expect((await give(broken)).status).toBe('error');
    const toJSON = {
      toJSON: () => {
        throw new Error('unprintable');
      },
    };
    expect((await give(() => toJSON)).status).toBe('error');
  });
});
