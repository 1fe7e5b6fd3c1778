/** What `registry.explain()` tells of the tools there are. */
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Injectable,
  Scope,
  UseGuards,
  UseInterceptors,
  type ModuleMetadata,
} from '@nestjs/common';
import { APP_GUARD, APP_PIPE } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { IsString } from 'class-validator';
import { Tool, ToolInput, ToolParam, ToolRegistry } from 'nestjs-agent-tools';
import type { AgentToolsModuleOptions, ToolExplanation } from 'nestjs-agent-tools';
import { z } from 'zod';
import { createApp } from '../support/app.js';
import {
  ClassGuard,
  Full,
  GlobalGuard,
  GLOBALS,
  GlobalPipe,
  Guard,
  MethodGuard,
  MethodInterceptor,
  Plain,
} from './explain/enhancers.js';

let app: TestingModule;
afterEach(() => app.close());

async function explain(metadata: ModuleMetadata, options?: AgentToolsModuleOptions) {
  app = await createApp(metadata, options);
  return app.get(ToolRegistry).explain();
}

/** `kind level name`, in the order that is told. */
const lines = ({ enhancers }: ToolExplanation) =>
  enhancers.map(({ kind, level, name }) => `${kind} ${level} ${name}`);

describe('the enhancers of a tool', () => {
  const own = {
    guards: ['guard class ClassGuard', 'guard method MethodGuard'],
    interceptors: ['interceptor class ClassInterceptor', 'interceptor method MethodInterceptor'],
    pipes: ['pipe class ClassPipe', 'pipe method MethodPipe', 'pipe parameter ParameterPipe'],
    filters: ['filter method MethodFilter', 'filter class ClassFilter'],
  };
  const all = [
    'guard global GlobalGuard',
    ...own.guards,
    'interceptor global GlobalInterceptor',
    ...own.interceptors,
    'pipe global GlobalPipe',
    ...own.pipes,
    ...own.filters,
    'filter global GlobalFilter',
  ];

  it('are told in the order in which they run', async () => {
    const { tools } = await explain({ providers: [Full, Plain, ...GLOBALS] });
    expect(tools.map(({ name }) => name)).toEqual(['full', 'plain']);
    expect(lines(tools[0])).toEqual(all);
    expect(lines(tools[1])).toEqual(all.filter((line) => line.includes('global')));
    expect(new Set(tools[0].enhancers.map(({ scope }) => scope))).toEqual(new Set(['singleton']));
  });

  it('are the same for a factory, a value and a controller', async () => {
    @Controller()
    class Endpoints extends Full {}
    for (const host of [
      { providers: [{ provide: 'FACTORY', useFactory: () => new Full() }, ...GLOBALS] },
      { providers: [{ provide: 'VALUE', useValue: new Full() }, ...GLOBALS] },
      { providers: GLOBALS, controllers: [Endpoints] },
    ]) {
      const { tools } = await explain(host);
      expect(tools.map(lines)).toEqual([all]);
      await app.close();
    }
  });

  it('leave out the global ones that `globalEnhancers` leaves out', async () => {
    const metadata = { providers: [Full, ...GLOBALS] };
    const none = await explain(metadata, { globalEnhancers: 'none' });
    expect(lines(none.tools[0])).toEqual(all.filter((line) => !line.includes('global')));
    await app.close();
    const guards = await explain(metadata, { globalEnhancers: (_one, kind) => kind === 'guard' });
    expect(lines(guards.tools[0])).toEqual(
      all.filter((line) => !line.includes('global') || line.startsWith('guard')),
    );
  });

  it('are named if they are objects, too', async () => {
    class Objects {
      @Tool('Has objects.')
      @UseGuards(new MethodGuard(), { canActivate: () => true })
      objects() {}
    }
    const { tools } = await explain({ providers: [Objects] });
    expect(lines(tools[0])).toEqual(['guard method MethodGuard', 'guard method Object']);
  });

  it('include global ones that are added later', async () => {
    const before = await explain({ providers: [Plain] });
    expect(lines(before.tools[0])).toEqual([]);
    const nest = app.createNestApplication();
    nest.useGlobalGuards(new GlobalGuard());
    const after = await app.get(ToolRegistry).explain();
    expect(lines(after.tools[0])).toEqual(['guard global GlobalGuard']);
    await nest.close();
  });
});

describe('scopes', () => {
  @Injectable({ scope: Scope.REQUEST })
  class RequestGuard extends Guard {}
  @Injectable({ scope: Scope.TRANSIENT })
  class TransientGuard extends Guard {}
  @Injectable({ scope: Scope.REQUEST, durable: true })
  class DurableGuard extends Guard {}
  @Injectable({ scope: Scope.REQUEST })
  class Session {}
  @Injectable()
  class ImplicitGuard extends Guard {
    constructor(readonly session: Session) {
      super();
    }
  }

  class Guarded {
    @Tool('Is guarded.')
    @UseGuards(ClassGuard, RequestGuard, TransientGuard, DurableGuard, ImplicitGuard)
    guarded() {}
  }

  it.each([
    ['a class', Guarded, 'transient'],
    // A transient enhancer lives as long as its host, which nothing makes scoped here.
    ['a factory', { provide: 'FACTORY', useFactory: () => new Guarded() }, 'singleton'],
  ])('of enhancers of %s are told, those by a dependency, too', async (_form, host, transient) => {
    const { tools } = await explain({ providers: [host, Session] });
    expect(tools[0].enhancers.map(({ name, scope }) => `${name} ${scope}`)).toEqual([
      'ClassGuard singleton',
      'RequestGuard request',
      `TransientGuard ${transient}`,
      'DurableGuard durable',
      'ImplicitGuard request',
    ]);
  });

  it('of scoped globals are told', async () => {
    const { tools } = await explain({
      providers: [
        Plain,
        { provide: APP_GUARD, useClass: GlobalGuard, scope: Scope.REQUEST },
        { provide: APP_PIPE, scope: Scope.REQUEST, useFactory: () => new GlobalPipe() },
      ],
    });
    expect(tools[0].scope).toBe('singleton');
    expect(tools[0].enhancers).toMatchObject([
      { kind: 'guard', level: 'global', name: 'GlobalGuard', scope: 'request' },
      { kind: 'pipe', level: 'global', name: 'a factory of pipes', scope: 'request' },
    ]);
  });

  it.each<[ToolExplanation['scope'], object]>([
    ['singleton', {}],
    ['request', { scope: Scope.REQUEST }],
    ['transient', { scope: Scope.TRANSIENT }],
    ['durable', { scope: Scope.REQUEST, durable: true }],
  ])('of hosts are told: %s', async (scope, options) => {
    @Injectable(options)
    class Scoped extends Plain {}
    @Controller(options)
    class Endpoints extends Plain {}
    const asProvider = await explain({ providers: [Scoped] });
    expect(asProvider.tools).toMatchObject([{ name: 'plain', scope }]);
    await app.close();
    const asController = await explain({ controllers: [Endpoints] });
    expect(asController.tools).toMatchObject([{ name: 'plain', scope }]);
  });

  it('of a host are those of its dependencies', async () => {
    @Injectable()
    class Dependent extends Plain {
      constructor(readonly session: Session) {
        super();
      }
    }
    const { tools } = await explain({ providers: [Dependent, Session] });
    expect(tools).toMatchObject([{ scope: 'request' }]);
  });
});

describe('where a tool comes from', () => {
  it('is its class, its method and its module', async () => {
    class Shop {}
    const { tools } = await explain({ imports: [{ module: Shop, providers: [Plain] }] });
    expect(tools).toMatchObject([
      { name: 'plain', host: { className: 'Plain', methodName: 'plain', moduleName: 'Shop' } },
    ]);
  });

  it('is the host class for an inherited method', async () => {
    class Heir extends Plain {}
    const { tools } = await explain({ providers: [Heir] });
    expect(tools).toMatchObject([{ host: { className: 'Heir', methodName: 'plain' } }]);
  });

  it('is told with what its schema was made from', async () => {
    class Dto {
      @IsString()
      text!: string;
    }
    class Schemas {
      @Tool({ description: 'Zod.', inputSchema: z.object({ a: z.string() }) })
      zod(@ToolInput() _input: { a: string }) {}
      @Tool({ description: 'JSON.', inputSchema: { type: 'object', properties: {} } })
      json(@ToolInput() _input: object) {}
      @Tool('DTO.')
      dto(@ToolInput() _input: Dto) {}
      @Tool('Fields.')
      fields(@ToolParam('a') _a: string) {}
    }
    const { tools } = await explain({ providers: [Schemas] });
    expect(Object.fromEntries(tools.map(({ name, schemaSource }) => [name, schemaSource]))).toEqual(
      {
        zod: 'zod',
        json: 'json-schema',
        dto: 'class-validator',
        fields: 'parameters',
      },
    );
  });

  it('is told of a tool that is registered at run time', async () => {
    await explain({ providers: [{ provide: APP_GUARD, useClass: GlobalGuard }] });
    const registry = app.get(ToolRegistry);
    @UseGuards(ClassGuard)
    class Late {
      readonly name = 'late';
      readonly description = 'Comes later.';
      @UseInterceptors(MethodInterceptor)
      execute() {}
    }
    await registry.register(new Late());
    const { tools } = await registry.explain();
    expect(tools).toMatchObject([
      { name: 'late', host: { className: 'Late', methodName: 'execute' }, scope: 'singleton' },
    ]);
    expect(lines(tools[0])).toEqual([
      'guard global GlobalGuard',
      'guard class ClassGuard',
      'interceptor method MethodInterceptor',
    ]);
    registry.unregister('late');
    expect((await registry.explain()).tools).toEqual([]);
  });
});
