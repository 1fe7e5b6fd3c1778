import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, type Provider } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { Tool, ToolExecutor, ToolParam, ToolRegistry } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { compileApp, createApp, moduleOf } from '../support/app.js';

@Injectable()
class Greeter {
  calls = 0;

  @Tool('Greets.')
  greet(@ToolParam('name') name: string) {
    this.calls++;
    return `Hello ${name}`;
  }
}

class Throwing {
  get property(): never {
    throw new Error('A getter was read.');
  }
}

abstract class Clock {
  @Tool('Tells the time.')
  time() {
    return 'noon';
  }

  @Tool('Tells the day.')
  day() {
    return 'Monday';
  }
}

@Injectable()
class FrenchClock extends Clock {
  override time() {
    return 'midi';
  }

  @Tool('Tells the day in French.')
  override day() {
    return 'lundi';
  }
}

let app: TestingModule;
afterEach(() => app.close());

describe('when a provider with tools is registered', () => {
  const forms: Record<string, Provider[]> = {
    'as a class': [Greeter],
    'with useClass': [{ provide: 'GREETER', useClass: Greeter }],
    'with useFactory under a string': [{ provide: 'GREETER', useFactory: () => new Greeter() }],
    'with useFactory under its class': [{ provide: Greeter, useFactory: () => new Greeter() }],
    'with an async factory': [
      { provide: Greeter, useFactory: () => Promise.resolve(new Greeter()) },
    ],
    'with useValue': [{ provide: 'GREETER', useValue: new Greeter() }],
    'with useValue under its class': [{ provide: Greeter, useValue: new Greeter() }],
    'with an alias': [Greeter, { provide: 'ALIAS', useExisting: Greeter }],
    'as a JS proxy': [{ provide: 'GREETER', useFactory: () => new Proxy(new Greeter(), {}) }],
    'under a class token with a subclass for its value': [
      { provide: Greeter, useValue: new (class extends Greeter {})() },
    ],
    'under the token of a class that it only implements': [
      { provide: Throwing, useFactory: () => new Greeter() },
    ],
  };

  it.each(Object.entries(forms))(
    '%s, its tool is found once and called',
    async (_form, providers) => {
      app = await createApp({ providers });
      const names = app
        .get(ToolRegistry)
        .list()
        .map(({ name }) => name);
      expect(names.filter((name) => name === 'greet')).toHaveLength(1);
      const result = await callTool(app, 'greet', { name: 'Ada' });
      expect(result).toMatchObject({ status: 'success', content: 'Hello Ada' });
    },
  );

  it('finds inherited tools, and the override of the subclass wins', async () => {
    app = await createApp({ providers: [FrenchClock] });
    const registry = app.get(ToolRegistry);
    expect(registry.list().map(({ name }) => name)).toEqual(['day', 'time']);
    expect(registry.get('day')?.description).toBe('Tells the day in French.');
    expect((await callTool(app, 'day', {})).content).toBe('lundi');
    expect((await callTool(app, 'time', {})).content).toBe('midi');
  });

  it('does not touch the instance before the first call', async () => {
    const reads: PropertyKey[] = [];
    const strict = new Proxy(new Greeter(), {
      get(target, key, receiver) {
        reads.push(key);
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    app = await compileApp({ providers: [{ provide: 'GREETER', useFactory: () => strict }] });
    const readByNest = [...reads];
    await app.init();
    expect(reads.filter((key) => !readByNest.includes(key) && key === 'greet')).toEqual([]);
    expect((await callTool(app, 'greet', { name: 'Ada' })).content).toBe('Hello Ada');
    expect(reads).toContain('greet');
  });

  it('tolerates values that are no hosts', async () => {
    const revoked = Proxy.revocable({}, {});
    app = await createApp({
      providers: [
        { provide: 'NULL', useValue: null },
        { provide: 'NUMBER', useValue: 1 },
        { provide: 'FROZEN', useValue: Object.freeze({ a: 1 }) },
        { provide: 'NULL_PROTOTYPE', useValue: Object.create(null) as object },
        { provide: 'THROWING', useValue: new Throwing() },
        { provide: 'FUNCTION', useValue: () => revoked },
        Greeter,
      ],
    });
    expect(app.get(ToolRegistry).list()).toHaveLength(1);
  });

  it('finds the tools of a module that is loaded lazily', async () => {
    app = await createApp({ providers: [] });
    expect(app.get(ToolRegistry).list()).toEqual([]);
    await app.get(LazyModuleLoader).load(() => moduleOf({ providers: [Greeter] }));
    expect(
      app
        .get(ToolRegistry)
        .list()
        .map(({ name }) => name),
    ).toEqual(['greet']);
    expect((await callTool(app, 'greet', { name: 'Ada' })).content).toBe('Hello Ada');
  });
});

describe('when there is nothing to find', () => {
  it('starts without tools', async () => {
    app = await createApp({ providers: [] });
    expect(app.get(ToolRegistry).list()).toEqual([]);
    expect((await callTool(app, 'greet', {})).content).toBe(
      'There is no tool "greet". There are no tools.',
    );
  });
});

describe('when a testing module was not initialised', () => {
  it('has its tools on first use', async () => {
    app = await compileApp({ providers: [Greeter] });
    expect(app.get(ToolRegistry).get('greet')?.description).toBe('Greets.');
    expect((await app.get(ToolExecutor).execute('greet', '{"name":"Ada"}')).content).toBe(
      'Hello Ada',
    );
  });
});
