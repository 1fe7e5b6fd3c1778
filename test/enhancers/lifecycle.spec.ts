/**
 * Nest calls the lifecycle hooks of what its modules hold. An enhancer that only a factory or a value
 * uses is held by none of them: the package creates it, and calls its hooks.
 */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import { APP_GUARD, LazyModuleLoader } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { Tool, ToolParam, ToolRegistry } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { compileApp, createApp, moduleOf } from '../support/app.js';
import {
  BOOT,
  Filter,
  Guard,
  hooksOf,
  Interceptor,
  journal,
  madeOf,
  Pipe,
  SHUTDOWN,
} from './lifecycle/noting.js';

beforeEach(() => {
  journal.length = 0;
});

class Guarded {
  @Tool('Is guarded.')
  @UseGuards(Guard)
  guarded() {
    return 'ran';
  }
}
const GUARDED = { provide: 'GUARDED', useFactory: () => new Guarded() };

let app: TestingModule;
afterEach(async () => {
  await app.close();
});

async function start(metadata: ModuleMetadata) {
  app = await createApp(metadata);
}

describe.each<[string, object]>([
  ['a factory', GUARDED],
  ['a factory under its class', { provide: Guarded, useFactory: () => new Guarded() }],
  ['a value', { provide: 'GUARDED', useValue: new Guarded() }],
  ['a class', Guarded],
])('a guard on %s', (_form, host) => {
  it('is told each part of its life once, in its order', async () => {
    await start({ providers: [host as Type] });
    expect(hooksOf(Guard)).toEqual(BOOT);
    expect((await callTool(app, 'guarded', {})).content).toBe('ran');
    await callTool(app, 'guarded', {});
    expect(hooksOf(Guard)).toEqual(BOOT);
    await app.close();
    expect(hooksOf(Guard).map((entry) => entry.split(' ')[0])).toEqual([...BOOT, ...SHUTDOWN]);
    expect(madeOf(Guard)).toBe(1);
  });
});

it('enhancers of every kind and level are told', async () => {
  @UseGuards(Guard)
  class Full {
    @Tool('Has all kinds.')
    @UseInterceptors(Interceptor)
    @UseFilters(Filter)
    full(@ToolParam('a', Pipe) _a: string) {}
  }
  await start({ providers: [{ provide: 'FULL', useFactory: () => new Full() }] });
  await app.close();
  for (const type of [Guard, Interceptor, Pipe, Filter]) {
    expect(hooksOf(type)).toHaveLength(5);
    expect(madeOf(type)).toBe(1);
  }
});

it('the signal of the shutdown is told', async () => {
  await start({ providers: [GUARDED] });
  const nest = app.createNestApplication();
  await nest.init();
  await (nest as { close(signal?: string): Promise<void> }).close('SIGTERM');
  expect(hooksOf(Guard).slice(-2)).toEqual([
    'beforeApplicationShutdown SIGTERM',
    'onApplicationShutdown SIGTERM',
  ]);
});

it('one that two hosts of a module share is told once', async () => {
  class Other {
    @Tool('Is guarded, too.')
    @UseGuards(Guard)
    other() {}
  }
  await start({ providers: [GUARDED, { provide: 'OTHER', useFactory: () => new Other() }] });
  await app.close();
  expect(madeOf(Guard)).toBe(1);
  expect(hooksOf(Guard)).toHaveLength(5);
});

it('one that Nest holds, as a provider or global, is told once', async () => {
  class Provided extends Guard {}
  class Global extends Guard {}
  class Both {
    @Tool('Is guarded.')
    @UseGuards(Provided)
    both() {}
  }
  class AsClass extends Both {}
  await start({
    providers: [AsClass, { provide: APP_GUARD, useClass: Global }],
  });
  await app.close();
  for (const type of [Provided, Global]) {
    expect(madeOf(type)).toBe(1);
    expect(hooksOf(type)).toHaveLength(5);
  }
});

it('an object is nobody’s to tell, as in Nest', async () => {
  const guard = new Guard();
  class Objects {
    @Tool('Is guarded.')
    @UseGuards(guard)
    objects() {}
  }
  await start({ providers: [{ provide: 'OBJECTS', useFactory: () => new Objects() }] });
  await app.close();
  expect(hooksOf(Guard)).toEqual([]);
});

it.each([Scope.REQUEST, Scope.TRANSIENT])(
  'one that belongs to a run is told nothing: %p on a request-scoped host',
  async (scope) => {
    @Injectable({ scope })
    class Scoped extends Guard {}
    class Host {
      @Tool('Is guarded.')
      @UseGuards(Scoped)
      scoped() {}
    }
    const factory = { provide: Host, scope: Scope.REQUEST, useFactory: () => new Host() };
    await start({ providers: [factory] });
    expect((await callTool(app, 'scoped', {})).status).toBe('success');
    await app.close();
    expect(madeOf(Scoped)).toBeGreaterThan(0);
    expect(hooksOf(Scoped)).toEqual([]);
  },
);

describe('hooks that take their time', () => {
  class Slow extends Guard {
    protected override async note(hook: string) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      super.note(hook);
    }
  }
  class Host {
    @Tool('Is guarded.')
    @UseGuards(Slow)
    slow() {}
  }
  class Root {
    onModuleInit() {
      journal.push('root onModuleInit');
    }
    onApplicationShutdown() {
      journal.push('root onApplicationShutdown');
    }
  }

  it('are awaited', async () => {
    await start({ providers: [{ provide: 'SLOW', useFactory: () => new Host() }, Root] });
    expect(hooksOf(Slow)).toEqual(BOOT);
    // The module that imports ours comes after it.
    expect(journal.indexOf('Slow onModuleInit')).toBeLessThan(journal.indexOf('root onModuleInit'));
    await app.close();
    expect(hooksOf(Slow)).toEqual([...BOOT, ...SHUTDOWN]);
  });
});

describe('a hook that fails', () => {
  it.each(BOOT)('stops the boot: %s', async (hook) => {
    class Failing extends Guard {
      protected override note(told: string) {
        if (told === hook) throw new Error(`no ${hook}`);
      }
    }
    class Host {
      @Tool('Is guarded.')
      @UseGuards(Failing)
      failing() {}
    }
    const failing = await compileApp({
      providers: [{ provide: 'F', useFactory: () => new Host() }],
    });
    await expect(failing.init()).rejects.toThrow(`no ${hook}`);
    // Nest 11 cannot close what it could not start.
    app = await compileApp({ providers: [] });
  });
});

@UseGuards(Guard)
class Late {
  readonly name = 'late';
  readonly description = 'Comes later.';
  execute() {
    journal.push('executed');
  }
}

describe('an enhancer that comes after the boot', () => {
  it('with a lazily loaded module, catches up before it is asked', async () => {
    await start({ providers: [] });
    await app.get(LazyModuleLoader).load(() => moduleOf({ providers: [GUARDED] }));
    expect((await callTool(app, 'guarded', {})).content).toBe('ran');
    expect(hooksOf(Guard)).toEqual(BOOT);
    await app.close();
    expect(hooksOf(Guard)).toHaveLength(5);
    expect(madeOf(Guard)).toBe(1);
  });

  it('with a tool that is registered, catches up before it is asked', async () => {
    await start({ providers: [] });
    await app.get(ToolRegistry).register(new Late());
    expect(hooksOf(Guard)).toEqual(BOOT);
    await callTool(app, 'late', {});
    await app.close();
    expect(hooksOf(Guard).map((entry) => entry.split(' ')[0])).toEqual([...BOOT, ...SHUTDOWN]);
    expect(journal.indexOf('executed')).toBeGreaterThan(2);
  });

  it('in a hook of another provider, misses nothing and is told nothing twice', async () => {
    @Injectable()
    class Early {
      constructor(private readonly registry: ToolRegistry) {}
      async onApplicationBootstrap() {
        await this.registry.register(new Late());
      }
    }
    await start({ providers: [Early] });
    expect(hooksOf(Guard)).toEqual(BOOT);
  });

  it.each(BOOT)('while another one is still at its %s, misses nothing', async (slowHook) => {
    let register = () => Promise.resolve<unknown>(undefined);
    let registered: Promise<unknown> | undefined;
    class Slow extends Guard {
      protected override async note(hook: string) {
        if (hook !== slowHook) return;
        registered = register();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    class Host {
      @Tool('Is guarded.')
      @UseGuards(Slow)
      slow() {}
    }
    app = await compileApp({ providers: [{ provide: 'SLOW', useFactory: () => new Host() }] });
    register = () => app.get(ToolRegistry).register(new Late());
    await app.init();
    await registered;
    expect(hooksOf(Guard)).toEqual(BOOT);
  });
});

describe('an application that was never initialised', () => {
  it('tells no enhancer of a boot', async () => {
    app = await compileApp({ providers: [GUARDED] });
    expect((await callTool(app, 'guarded', {})).content).toBe('ran');
    expect(hooksOf(Guard)).toEqual([]);
    await app.init();
    expect(hooksOf(Guard)).toEqual(BOOT);
  });
});
