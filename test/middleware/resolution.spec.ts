import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  Inject,
  Injectable,
  Module,
  Scope,
  type OnModuleInit,
  type Provider,
  type Type,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  AgentToolsModule,
  ToolExecutor,
  ToolRegistry,
  type ToolMiddleware,
} from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { compileApp } from '../support/app.js';
import { startWith } from './support/start.js';
import { given, StockTools } from './support/tools.js';

const ITEM = { name: 'desk', count: 2 };

@Injectable()
class Names {
  readonly prefix: string = 'a ';
}

@Injectable()
class Prefixing implements ToolMiddleware {
  constructor(private readonly names: Names) {}

  input(input: unknown) {
    const item = input as { name: string };
    return { ...item, name: this.names.prefix + item.name };
  }
}

beforeEach(() => {
  given.length = 0;
});

describe('when a middleware has dependencies', () => {
  it('is the instance that a global module provides', async () => {
    let created = 0;
    @Injectable()
    class Counting implements ToolMiddleware {
      calls = 0;

      constructor(readonly names: Names) {
        created++;
      }

      settled() {
        this.calls++;
      }
    }
    @Module({ providers: [Names, Counting], exports: [Counting] })
    class AuditModule {}
    const app = await Test.createTestingModule({
      imports: [
        { module: AuditModule, global: true },
        AgentToolsModule.forRoot({ toolMiddleware: [Counting] }),
      ],
      providers: [StockTools],
    }).compile();
    await app.init();
    await callTool(app, 'add', ITEM);
    const provided = app.get(Counting, { strict: false });
    expect(provided.calls).toBe(1);
    expect(created).toBe(1);
    await app.close();
  });

  it('is the instance that the root module provides', async () => {
    const app = await startWith([Prefixing], [StockTools, Names, Prefixing]);
    await callTool(app, 'add', ITEM);
    expect(given).toEqual([{ name: 'a desk', count: 2 }]);
  });

  it('takes part in overrides of a testing module', async () => {
    const app = await Test.createTestingModule({
      imports: [AgentToolsModule.forRoot({ toolMiddleware: [Prefixing] })],
      providers: [StockTools, Names, Prefixing],
    })
      .overrideProvider(Names)
      .useValue({ prefix: 'overridden ' })
      .compile();
    await app.init();
    await callTool(app, 'add', ITEM);
    expect(given).toEqual([{ name: 'overridden desk', count: 2 }]);
    await app.close();
  });

  it('is created with what global modules export', async () => {
    @Module({ providers: [Names], exports: [Names] })
    class NamesModule {}
    const app = await Test.createTestingModule({
      imports: [
        { module: NamesModule, global: true },
        AgentToolsModule.forRoot({ toolMiddleware: [Prefixing] }),
      ],
      providers: [StockTools],
    }).compile();
    await app.init();
    await callTool(app, 'add', ITEM);
    expect(given).toEqual([{ name: 'a desk', count: 2 }]);
    await app.close();
  });

  it('stops the boot with its name if nobody provides them', async () => {
    const app = await compileApp({ providers: [StockTools] }, { toolMiddleware: [Prefixing] });
    await expect(app.init()).rejects.toThrow(/Prefixing[\s\S]*Names|Names[\s\S]*Prefixing/);
  });
});

describe('when nobody provides a middleware', () => {
  it('is created once for all tools, and its lifecycle hooks run', async () => {
    const events: string[] = [];
    @Injectable()
    class Standing implements ToolMiddleware, OnModuleInit {
      constructor() {
        events.push('created');
      }

      onModuleInit() {
        events.push('initialised');
      }

      settled() {
        events.push('settled');
      }
    }
    const app = await startWith([Standing], [StockTools]);
    await callTool(app, 'add', ITEM);
    await callTool(app, 'list', {});
    expect(events).toEqual(['created', 'initialised', 'settled', 'settled']);
  });

  it('stands around tools that are registered at run time', async () => {
    let settled = 0;
    class Counting implements ToolMiddleware {
      settled() {
        settled++;
      }
    }
    const app = await startWith([Counting], []);
    const executor = app.get(ToolExecutor);
    await app.get(ToolRegistry).register({ name: 'now', execute: () => 'now' });
    expect((await executor.execute('now', {})).status).toBe('success');
    expect(settled).toBe(1);
  });
});

describe('when a middleware cannot be a singleton', () => {
  @Injectable({ scope: Scope.REQUEST })
  class PerRequest implements ToolMiddleware {
    settled() {
      given.push('settled');
    }
  }

  @Injectable()
  class DependsOnRequest implements ToolMiddleware {
    constructor(@Inject(REQUEST) readonly request: unknown) {}

    settled() {
      given.push('settled');
    }
  }

  @Injectable({ scope: Scope.TRANSIENT })
  class PerUse implements ToolMiddleware {
    settled() {
      given.push('settled');
    }
  }

  async function failureOf(type: Type<ToolMiddleware>, providers: Provider[]) {
    const app = await compileApp({ providers }, { toolMiddleware: [type] });
    try {
      await app.init();
    } catch (error) {
      return (error as Error).message;
    }
    await app.close();
    return 'The application started.';
  }

  it.each([PerRequest, DependsOnRequest, PerUse])(
    'stops the boot with the name and the remedy if nobody provides it: %p',
    async (type) => {
      const message = await failureOf(type, [StockTools]);
      expect(message).toContain(type.name);
      expect(message).toContain('make it a singleton');
    },
  );

  it.each([PerRequest, DependsOnRequest, PerUse])(
    'stops the boot with the name and the remedy if it is provided: %p',
    async (type) => {
      const message = await failureOf(type, [StockTools, type]);
      expect(message).toContain(type.name);
      expect(message).toContain('make it a singleton');
    },
  );

  it('says so once, however many tools there are', async () => {
    const message = await failureOf(PerRequest, [StockTools]);
    expect(message.match(/make it a singleton/g)).toHaveLength(1);
  });
});
