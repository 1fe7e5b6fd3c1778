/** What counts as a stream and what is one value. */
import { createReadStream } from 'node:fs';
import { on, EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { scripted } from 'nestjs-agent-tools/testing';
import { map } from 'rxjs';
import { startAgent } from '../../loop/support/agent.js';
import { sleep } from '../../loop/support/time.js';
import { openReadable } from './sources.js';
import { intercepting, watch } from './watch.js';

const PLACES = [
  ['without interceptors', []],
  ['behind an interceptor', [intercepting(map((value) => value))]],
] as const;

describe.each(PLACES)('%s', (_place, interceptors) => {
  it.each<[string, unknown, string]>([
    ['a list', [1, 2], '[1,2]'],
    ['a map', new Map([['a', 1]]), '{"a":1}'],
    ['a set', new Set([1, 2]), '[1,2]'],
    ['a text', 'abc', 'abc'],
    ['a String object', new String('abc'), '"abc"'],
    ['a typed array', new Uint8Array([1, 2]), '{"0":1,"1":2}'],
    ['a Buffer', Buffer.from([1, 2]), '{"type":"Buffer","data":[1,2]}'],
    ['an object with next() only', { id: 1, next: () => ({ done: true }) }, '{"id":1}'],
    ['an object with next and return', { id: 1, next: () => 1, return: () => 1 }, '{"id":1}'],
    ['a list node', { id: 1, next: { id: 2, next: null } }, '{"id":1,"next":{"id":2,"next":null}}'],
    ['an iterable without next()', { id: 1, *[Symbol.iterator]() {} }, '{"id":1}'],
    [
      'an object with fields of an Observable',
      { id: 1, subscribe: 'no', pipe: 'no' },
      '{"id":1,"subscribe":"no","pipe":"no"}',
    ],
    ['null', null, 'null'],
  ])('%s is one value', async (_kind, value, content) => {
    const { progress, result } = await watch(() => value, { interceptors });
    expect(progress).toEqual([]);
    expect(result.value).toBe(value);
    expect(result.content).toBe(content);
  });

  // A list that was not written down yet.
  it.each<[string, () => unknown]>([
    ['of a list', () => ['a', 'b'].values()],
    ['of a map', () => new Map(Object.entries({ a: 1, b: 2 })).keys()],
    ['of a text', () => 'ab'[Symbol.iterator]()],
  ])('an iterator %s is a list', async (_kind, open) => {
    const { progress, result } = await watch(open, { interceptors });
    expect(progress).toEqual([]);
    expect(result.value).toEqual(['a', 'b']);
    expect(result.content).toBe('["a","b"]');
  });

  it('the chunks of a stream of Node are values, the last of them the result', async () => {
    const { progress, result } = await watch(() => Readable.from(['a', 'b']), { interceptors });
    expect(progress).toEqual(['a', 'b']);
    expect(result.value).toBe('b');
  });

  it('the chunks of a file are values, and the file is closed', async () => {
    const file = createReadStream(import.meta.filename, { encoding: 'utf8', highWaterMark: 1024 });
    const { progress, result } = await watch(() => file, { interceptors });
    expect(progress.length).toBeGreaterThan(1);
    expect(progress.join('')).toContain('What counts as a stream');
    expect(result.value).toBe(progress.at(-1));
    expect(file.closed).toBe(true);
  });

  it('a stream of Node that fails is an error', async () => {
    const failing = new Readable({ read: () => failing.destroy(new Error('broken pipe')) });
    const { result } = await watch(() => failing, { interceptors });
    expect(result).toMatchObject({ status: 'error', error: { message: 'broken pipe' } });
  });

  it('a stream of Node that never ends is destroyed at the timeout', async () => {
    const { readable, closed } = openReadable();
    const { result } = await watch(() => readable, { interceptors, timeout: 20 });
    expect(result.content).toContain('timed out');
    await sleep(5);
    expect(closed).toEqual(['closed']);
    expect(readable.destroyed).toBe(true);
  });

  it('the chunks of a web stream are values', async () => {
    const { progress } = await watch(() => new Blob(['abc']).stream(), { interceptors });
    expect(progress).toEqual([new Uint8Array([97, 98, 99])]);
  });

  it('the events of an emitter are values, and its listeners are removed', async () => {
    const emitter = new EventEmitter();
    const { progress, result } = await watch(
      () => {
        setTimeout(() => emitter.emit('tick', 1), 5);
        return on(emitter, 'tick');
      },
      { interceptors, timeout: 40 },
    );
    expect(progress).toEqual([[1]]);
    expect(result.content).toContain('timed out');
    await sleep(5);
    expect(emitter.listenerCount('tick')).toBe(0);
  });

  it('promises that a generator yields are awaited, as for await does', async () => {
    const { progress, result } = await watch(
      function* () {
        yield Promise.resolve('a');
        yield Promise.resolve('b');
      },
      { interceptors },
    );
    expect(progress).toEqual(['a', 'b']);
    expect(result.value).toBe('b');
  });

  it('a rejected promise that a generator yields is the error of the call', async () => {
    const { result } = await watch(
      function* () {
        yield Promise.reject(new Error('rejected'));
        yield 'b';
      },
      { interceptors },
    );
    expect(result).toMatchObject({ status: 'error', error: { message: 'rejected' } });
  });

  it('a promise that a generator returns is awaited', async () => {
    const { progress, result } = await watch(
      function* () {
        yield 'a';
        return Promise.resolve('b');
      },
      { interceptors },
    );
    expect(progress).toEqual(['a']);
    expect(result.value).toBe('b');
  });
});

describe('the stream of another agent', () => {
  it('is read event by event', async () => {
    const { agent } = await startAgent([], { model: scripted(['Hello.']) });
    const { progress, result } = await watch(() => agent.stream('Go.'));
    const types = progress.map((event) => (event as { type: string }).type);
    expect(types[0]).toBe('run-started');
    expect(types.at(-1)).toBe('run-finished');
    expect(result.value).toMatchObject({ type: 'run-finished', result: { text: 'Hello.' } });
  });
});
