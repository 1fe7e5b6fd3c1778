/** What `registry.explain()` tells of every `@Tool()` that is no tool of the application, and why. */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger, Scope, UseGuards, type ModuleMetadata } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { Tool, ToolRegistry, type IgnoredTool } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { compileApp, createApp, moduleOf } from '../../support/app.js';
import { ClassGuard, Full, GLOBALS, Guard, Plain } from './enhancers.js';

class Missing {}

@Injectable()
class NeedyGuard extends Guard {
  constructor(readonly missing: Missing) {
    super();
  }
}

class Needy {
  @Tool('Cannot be guarded.')
  @UseGuards(NeedyGuard)
  needy() {}
}

/** Nest itself creates the enhancers of class providers only. */
const NEEDY = { provide: 'NEEDY', useFactory: () => new Needy() };

class Forgotten {
  @Tool('First.')
  first() {}
  @Tool('Second.')
  second() {}
}

let app: TestingModule;
afterEach(() => app.close());

async function explain(metadata: ModuleMetadata) {
  app = await createApp(metadata);
  return explainAgain();
}

function explainAgain() {
  return app.get(ToolRegistry).explain();
}

/** All classes of this file are known, so only those are looked at that a test is about. */
function of(ignored: readonly IgnoredTool[], ...names: string[]): IgnoredTool[] {
  return ignored.filter(({ className }) => names.includes(className));
}

describe('an alias', () => {
  it('is told, and the tool counts once', async () => {
    class Shop {}
    const providers = [Plain, { provide: 'ALIAS', useExisting: Plain }];
    const { tools, ignored } = await explain({ imports: [{ module: Shop, providers }] });
    expect(tools.map(({ name }) => name)).toEqual(['plain']);
    expect(of(ignored, 'Plain')).toEqual([
      {
        className: 'Plain',
        methodName: 'plain',
        moduleName: 'Shop',
        reason: expect.stringContaining('"ALIAS" is an alias'),
      },
    ]);
  });
});

describe('a @Tool() that another one overrides', () => {
  class Heir extends Plain {
    @Tool('Has something.')
    override plain() {
      return 'overridden';
    }
  }
  class Silent extends Plain {
    override plain() {
      return 'without a decorator';
    }
  }

  it('is told with the class that has it', async () => {
    const { tools, ignored } = await explain({ providers: [Heir] });
    expect(tools).toMatchObject([{ name: 'plain', host: { className: 'Heir' } }]);
    expect(of(ignored, 'Plain', 'Heir')).toMatchObject([
      { className: 'Plain', methodName: 'plain', reason: expect.stringContaining('Heir') },
    ]);
  });

  it('without decorators is a tool, so there is nothing to tell', async () => {
    const { tools, ignored } = await explain({ providers: [Silent] });
    expect(tools).toMatchObject([{ name: 'plain', host: { className: 'Silent' } }]);
    expect(of(ignored, 'Plain', 'Silent')).toEqual([]);
    expect((await callTool(app, 'plain', {})).content).toBe('without a decorator');
  });
});

describe('a class that no module provides', () => {
  it('is told with each of its tools and the remedy', async () => {
    const { tools, ignored } = await explain({ providers: [Plain] });
    expect(tools).toHaveLength(1);
    expect(of(ignored, 'Forgotten')).toEqual(
      ['first', 'second'].map((methodName) => ({
        className: 'Forgotten',
        methodName,
        reason: expect.stringContaining('Add it to `providers`'),
      })),
    );
  });

  it('is not told any more when a lazily loaded module provides it', async () => {
    const { ignored } = await explain({ providers: [] });
    expect(of(ignored, 'Forgotten')).toHaveLength(2);
    await app.get(LazyModuleLoader).load(() => moduleOf({ providers: [Forgotten] }));
    const after = await explainAgain();
    expect(of(after.ignored, 'Forgotten')).toEqual([]);
    expect(after.tools.map(({ name }) => name)).toEqual(['first', 'second']);
  });

  it.each<[string, object]>([
    ['a factory under its class', { provide: Forgotten, useFactory: () => new Forgotten() }],
    ['a factory under a name', { provide: 'F', useFactory: () => new Forgotten() }],
    ['a value', { provide: 'F', useValue: new Forgotten() }],
    ['a subclass', class Provided extends Forgotten {}],
    [
      'a request-scoped factory under its class',
      { provide: Forgotten, scope: Scope.REQUEST, useFactory: () => new Forgotten() },
    ],
  ])('is not told if it is provided by %s', async (_form, provider) => {
    const { ignored, tools } = await explain({ providers: [provider as never] });
    expect(of(ignored, 'Forgotten', 'F', 'Provided')).toEqual([]);
    expect(tools).toHaveLength(2);
  });
});

describe('a request-scoped factory under a name', () => {
  it.each([Scope.REQUEST, Scope.TRANSIENT])('is told with the remedy: %p', async (scope) => {
    const factory = { provide: 'LATER', scope, useFactory: () => new Forgotten() };
    class Shop {}
    const { tools, ignored } = await explain({
      imports: [{ module: Shop, providers: [factory] }],
    });
    expect(tools).toEqual([]);
    expect(of(ignored, 'LATER')).toEqual([
      {
        className: 'LATER',
        moduleName: 'Shop',
        reason: expect.stringContaining('Provide it under its class'),
      },
    ]);
  });

  it('is warned about at boot', async () => {
    app = await compileApp({
      providers: [
        { provide: 'LATER', scope: Scope.REQUEST, useFactory: () => new Forgotten() },
        Plain,
      ],
    });
    const warn = jest.fn();
    Logger.overrideLogger({ log: () => undefined, error: () => undefined, warn });
    await app.init();
    Logger.overrideLogger(false);
    const warned = warn.mock.calls.map(([message]) => String(message));
    expect(warned.filter((message) => message.includes('"LATER"'))).toHaveLength(1);
    expect(warned.join()).toContain('Forgotten');
  });
});

describe('a lazily loaded module with a tool that is not in order', () => {
  const load = (metadata: ModuleMetadata) =>
    app.get(LazyModuleLoader).load(() => moduleOf(metadata));

  it('is told with the reason, and its other tools are there', async () => {
    await explain({ providers: [Plain] });
    class Twin {
      @Tool({ name: 'plain', description: 'Has the same name.' })
      twin() {}
      @Tool('Is in order.')
      fine() {}
    }
    await load({ providers: [Twin] });
    const { tools, ignored } = await explainAgain();
    expect(tools.map(({ name }) => name)).toEqual(['fine', 'plain']);
    expect(of(ignored, 'Twin')).toMatchObject([
      { className: 'Twin', methodName: 'twin', reason: expect.stringContaining('is taken by') },
    ]);
  });

  it('is told at the first question, too, if an enhancer cannot be created', async () => {
    await explain({ providers: [Plain] });
    await load({ providers: [NEEDY] });
    const { tools, ignored } = await explainAgain();
    expect(tools.map(({ name }) => name)).toEqual(['plain']);
    expect(of(ignored, 'Needy')).toMatchObject([
      { methodName: 'needy', reason: expect.stringContaining('NeedyGuard') },
    ]);
  });

  it('is told later if an enhancer cannot be created', async () => {
    await explain({ providers: [Plain] });
    await load({ providers: [NEEDY] });
    expect((await callTool(app, 'needy', {})).status).toBe('error');
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { tools, ignored } = await explainAgain();
    expect(tools.map(({ name }) => name)).toEqual(['plain']);
    expect(of(ignored, 'Needy')).toMatchObject([
      { methodName: 'needy', reason: expect.stringContaining('NeedyGuard') },
    ]);
  });
});

describe('an application without surprises', () => {
  it('has nothing of Nest in it', async () => {
    const { tools, ignored } = await explain({
      imports: [moduleOf({ providers: [ClassGuard] })],
      providers: [Full, ...GLOBALS, { provide: 'CONFIG', useValue: { a: 1 } }],
    });
    expect(tools).toHaveLength(1);
    const others = new Set(ignored.map(({ className }) => className));
    // Those are the classes of this file that this application leaves out.
    for (const name of ['Plain', 'Needy', 'Forgotten', 'Heir', 'Twin']) others.delete(name);
    expect([...others]).toEqual([]);
  });

  it('has nothing of Nest in it if a provider belongs to the request', async () => {
    class Session {}
    const { ignored } = await explain({
      providers: [Plain, { provide: Session, useClass: Session, scope: Scope.REQUEST }],
    });
    const names = ignored.map(({ className }) => className);
    expect(names).not.toContain('Symbol(REQUEST)');
    expect(names.filter((name) => /^(REQUEST|INQUIRER|Session)$/.test(name))).toEqual([]);
  });

  it('is explained before it is initialised', async () => {
    app = await compileApp({ providers: [Plain] });
    const { tools } = await explainAgain();
    expect(tools).toMatchObject([{ name: 'plain', scope: 'singleton', enhancers: [] }]);
  });
});
