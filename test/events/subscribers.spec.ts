import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { config, filter, map, Observable } from 'rxjs';
import { AgentEvents, type RuntimeEvent } from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { start, typesOf } from './support/record.js';
import { OrderTools } from './support/tools.js';

const ORDER = { orderNo: 'A-1' };
const find = { tool: 'find', arguments: ORDER };

afterEach(() => {
  jest.restoreAllMocks();
});

describe('when nobody observes', () => {
  it('builds no event', async () => {
    const emit = jest.spyOn(AgentEvents.prototype, 'emit');
    const { app, agent } = await start([OrderTools], {
      model: scripted([find, 'Shipped.', find, 'Shipped.']),
    });
    expect((await callTool(app, 'find', ORDER)).status).toBe('success');
    expect((await callTool(app, 'list', {})).status).toBe('success');
    expect((await callTool(app, 'search', {})).status).toBe('error');
    expect((await agent.run('Go.')).status).toBe('completed');
    expect((await agent.stream('Go.').result).status).toBe('completed');
    expect(emit).not.toHaveBeenCalled();
  });

  it('builds events again only while there is a subscriber', async () => {
    const emit = jest.spyOn(AgentEvents.prototype, 'emit');
    const { app, source } = await start([OrderTools]);
    const subscription = source.subscribe(() => undefined);
    await callTool(app, 'find', ORDER);
    expect(emit).toHaveBeenCalledTimes(7);
    subscription.unsubscribe();
    await callTool(app, 'find', ORDER);
    expect(emit).toHaveBeenCalledTimes(7);
  });
});

describe('when a subscriber leaves', () => {
  it('is told nothing more, and leaves nothing behind', async () => {
    const { app, source } = await start([OrderTools]);
    const types: string[] = [];
    const subscription = source.subscribe(({ type }) => types.push(type));
    expect(source.observed).toBe(true);
    subscription.unsubscribe();
    expect(source.observed).toBe(false);
    await callTool(app, 'find', ORDER);
    expect(types).toEqual([]);
  });

  it('may do so in the middle of an event, and others are told all the same', async () => {
    const { app, source } = await start([OrderTools]);
    const first: string[] = [];
    const second: string[] = [];
    const subscription = source.subscribe(({ type }) => {
      first.push(type);
      subscription.unsubscribe();
    });
    source.subscribe(({ type }) => second.push(type));
    await callTool(app, 'find', ORDER);
    expect(first).toEqual(['tool-arguments-received']);
    expect(second).toHaveLength(7);
  });
});

describe('when a subscriber throws', () => {
  const boom = () => {
    throw new Error('no disk');
  };
  it.each<[string, (source: AgentEvents) => unknown]>([
    ['a function', (source) => source.subscribe(boom)],
    ['an observer', (source) => source.subscribe({ next: boom })],
    [
      'an observer with methods of its own',
      (source) =>
        source.subscribe(
          new (class {
            next() {
              boom();
            }
          })(),
        ),
    ],
  ])(
    'as %s, neither the call nor other subscribers notice, and it is logged',
    async (_form, subscribe) => {
      const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      const { app, source } = await start([OrderTools]);
      const types: string[] = [];
      subscribe(source);
      source.subscribe(({ type }) => types.push(type));
      expect((await callTool(app, 'find', ORDER)).status).toBe('success');
      expect(types).toHaveLength(7);
      // It goes on being told, and fails again.
      expect(logged).toHaveBeenCalledTimes(7);
      expect(String(logged.mock.calls[0][0])).toBe('A listener of runtime events failed: no disk');
    },
  );

  it('later, in a promise, it is logged and leaves no unhandled rejection', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { app, source } = await start([OrderTools]);
    const late: () => unknown = () => Promise.reject(new Error('no disk'));
    source.subscribe(late);
    expect((await callTool(app, 'find', ORDER)).status).toBe('success');
    await new Promise((resolve) => setImmediate(resolve));
    expect(logged).toHaveBeenCalledTimes(7);
  });

  it('does not end the run of an agent', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { agent, source } = await start([OrderTools], { model: scripted([find, 'Shipped.']) });
    source.subscribe(boom);
    expect(await agent.run('Go.')).toMatchObject({ status: 'completed', text: 'Shipped.' });
  });

  it('calls the observer with itself as `this`', async () => {
    const { app, source } = await start([OrderTools]);
    class Counter {
      count = 0;
      next() {
        this.count++;
      }
    }
    const counter = new Counter();
    source.subscribe(counter);
    await callTool(app, 'find', ORDER);
    expect(counter.count).toBe(7);
  });
});

describe('when it is used as an Observable', () => {
  it('works with operators', async () => {
    const { app, source } = await start([OrderTools]);
    const names: string[] = [];
    source
      .pipe(
        filter((event) => event.type === 'tool-failed'),
        map(({ name, result }) => `${name}: ${result.status}`),
      )
      .subscribe((text) => names.push(text));
    expect(source).toBeInstanceOf(Observable);
    await callTool(app, 'find', ORDER);
    await callTool(app, 'refund', {});
    expect(names).toEqual(['refund: denied']);
  });

  it('tells two subscribers the same event', async () => {
    const { app, source } = await start([OrderTools]);
    const heard: RuntimeEvent[][] = [[], []];
    for (const events of heard) source.subscribe((event) => events.push(event));
    await callTool(app, 'find', ORDER);
    expect(heard[0]).toHaveLength(7);
    heard[0].forEach((event, at) => expect(heard[1][at]).toBe(event));
  });

  it('isolates what throws behind an operator from the process', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const uncaught: unknown[] = [];
    // Without this RxJS throws it in a timer, which ends the process.
    config.onUnhandledError = (error: unknown) => uncaught.push(error);
    const { app, source } = await start([OrderTools]);
    source.pipe(filter(({ type }) => type === 'tool-finished')).subscribe(() => {
      throw new Error('no disk');
    });
    expect((await callTool(app, 'find', ORDER)).status).toBe('success');
    await new Promise((resolve) => setTimeout(resolve, 5));
    config.onUnhandledError = null;
    expect(uncaught).toEqual([]);
  });

  it('isolates an error of an operator from the call and from others', async () => {
    const { app, source } = await start([OrderTools]);
    const errors: unknown[] = [];
    const types: string[] = [];
    const mapped = source.pipe(
      map(() => {
        throw new Error('not mapped');
      }),
    );
    mapped.subscribe({ error: (error: unknown) => errors.push(error) });
    source.subscribe(({ type }) => types.push(type));
    expect((await callTool(app, 'find', ORDER)).status).toBe('success');
    expect(errors).toEqual([new Error('not mapped')]);
    expect(types).toHaveLength(7);
  });
});

describe('when events are written as JSON lines', () => {
  const line = (event: RuntimeEvent) =>
    JSON.stringify({ at: Date.now(), ...event }, (_key, value: unknown) => {
      if (value instanceof Error) return { name: value.name, message: value.message };
      return typeof value === 'bigint' ? String(value) : value;
    });

  it('each is one line that can be read again', async () => {
    const { app, agent, source } = await start([OrderTools], {
      model: scripted([find, { error: new Error('overloaded') }]),
    });
    const events: RuntimeEvent[] = [];
    const lines: string[] = [];
    source.subscribe((event) => {
      events.push(event);
      lines.push(line(event));
    });
    for (const name of ['list', 'refund', 'ask', 'crash', 'search']) await callTool(app, name, {});
    await agent.run('Go.').catch(() => undefined);

    const read = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(read.map(({ type }) => type)).toEqual(typesOf(events));
    expect(new Set(read.map(({ type }) => type)).size).toBe(16);
    expect(read.at(-1)).toMatchObject({
      type: 'run-failed',
      step: 2,
      error: { name: 'AgentRunException', message: expect.stringContaining('overloaded') },
    });
    const retried = read.find(({ type }) => type === 'tool-retried');
    expect(retried?.error).toEqual({ name: 'Error', message: 'The line is busy.' });
    for (const text of lines) expect(text).not.toContain('\n');
  });
});
