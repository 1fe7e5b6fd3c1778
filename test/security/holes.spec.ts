/** Each of these was once a way around a guard, or a way to stop the process. */
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { LazyModuleLoader, Reflector } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { interval, tap } from 'rxjs';
import {
  AgentService,
  Tool,
  ToolExecutionContext,
  ToolInput,
  ToolParam,
  ToolRegistry,
  type ToolCallResult,
} from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { bootError, createApp, moduleOf } from '../support/app.js';

class Deny implements CanActivate {
  canActivate() {
    return false;
  }
}

@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}
  canActivate(context: ExecutionContext) {
    const role = this.reflector.getAllAndOverride<string | undefined>('role', [
      context.getHandler(),
      context.getClass(),
    ]);
    const { user } = context.switchToHttp().getRequest<{ user: { role: string } }>();
    return !role || user.role === role;
  }
}
const Role = (role: string) => SetMetadata('role', role);

const Naive: MethodDecorator = (_target, _key, descriptor) => {
  const original = descriptor.value as unknown as (...args: unknown[]) => unknown;
  descriptor.value = function (this: unknown, ...args: unknown[]) {
    return original.apply(this, args);
  } as never;
};

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const refusing: PipeTransform = {
  transform() {
    throw new BadRequestException('refused');
  },
};

let app: TestingModule;
afterEach(() => app?.close().catch(() => undefined));

describe('a tool of a lazily loaded module that is not in order', () => {
  it('does not exist, whatever its problem', async () => {
    let runs = 0;
    class Lost {
      @Naive
      @Tool('x')
      @UseGuards(Deny)
      lost() {
        runs++;
      }

      @Tool('x')
      undescribed(tenant: string, @ToolParam('to') to: string) {
        runs++;
        return tenant + to;
      }
    }
    app = await createApp({});
    await app.get(LazyModuleLoader).load(() => moduleOf({ providers: [Lost] }));
    expect((await callTool(app, 'lost', {})).content).toContain('There is no tool');
    expect((await callTool(app, 'undescribed', { to: 'x' })).content).toContain('There is no tool');
    expect(runs).toBe(0);
  });
});

describe('a look at the tools while providers are still being made', () => {
  class Tools {
    runs = 0;
    @Tool('x')
    danger() {
      this.runs++;
    }
  }
  @UseGuards(Deny)
  class Guarded extends Tools {}
  const late = {
    provide: Tools,
    useFactory: async () => {
      await sleep(40);
      return new Guarded();
    },
  };

  it('does not take the token for the class, at boot', async () => {
    const early = {
      provide: 'EARLY',
      inject: [ToolRegistry],
      useFactory: async (registry: ToolRegistry) => {
        await sleep(5);
        return registry.list().length;
      },
    };
    app = await createApp({ providers: [early, late] });
    expect((await callTool(app, 'danger', {})).status).toBe('denied');
    expect(app.get(Tools).runs).toBe(0);
  });

  it('does not take the token for the class, in a module that is loading', async () => {
    app = await createApp({});
    const loading = app.get(LazyModuleLoader).load(() => moduleOf({ providers: [late] }));
    await sleep(10);
    expect(app.get(ToolRegistry).list()).toEqual([]);
    await loading;
    expect((await callTool(app, 'danger', {})).status).toBe('denied');
  });

  it('does not keep a guard whose constructor has not run', async () => {
    class Settings {
      locked = true;
    }
    @Injectable()
    class Lock implements CanActivate {
      readonly locked: boolean;
      constructor(settings: Settings) {
        this.locked = settings.locked;
      }
      canActivate() {
        return !this.locked;
      }
    }
    @Injectable()
    class Locked {
      @Tool('x')
      @UseGuards(Lock)
      open() {
        return 'RAN';
      }
    }
    const settings = {
      provide: Settings,
      useFactory: async () => {
        await sleep(40);
        return new Settings();
      },
    };
    app = await createApp({});
    const loading = app
      .get(LazyModuleLoader)
      .load(() => moduleOf({ providers: [Locked, settings] }));
    await sleep(10);
    expect((await callTool(app, 'open', {})).content).not.toBe('RAN');
    await loading;
    expect((await callTool(app, 'open', {})).status).toBe('denied');
  });
});

describe('what a guard decides by', () => {
  it('may not stand on an override without @Tool()', async () => {
    class Base {
      @Tool('x')
      @Role('user')
      act() {}
    }
    class Sub extends Base {
      @Role('admin')
      override act() {}
    }
    expect(await bootError({ providers: [Sub] })).toContain(
      'Sub.act: The override has the metadata "role" but no @Tool()',
    );
    class Parameters extends Base {
      override act(@ToolInput(refusing) _input?: object) {}
    }
    expect(await bootError({ providers: [Parameters] })).toContain(
      'Parameters.act: The override has parameter decorators but no @Tool()',
    );
  });

  it('may not be lost by a wrapping decorator', async () => {
    @UseGuards(RolesGuard)
    class Outside {
      @Naive
      @Tool('x')
      @Role('admin')
      act() {}
    }
    @UseGuards(RolesGuard)
    class Inside {
      @Tool('x')
      @Naive
      @Role('admin')
      act() {}
    }
    class Twice {
      @Tool('x')
      @Naive
      @Tool('y')
      @UseGuards(Deny)
      @Naive
      act() {}
    }
    for (const host of [Outside, Inside]) {
      expect(await bootError({ providers: [host] })).toContain('lost its metadata "role"');
    }
    expect(await bootError({ providers: [Twice] })).toContain('lost its guards');
  });

  it('is that of the class whose method runs, not of an unrelated token', async () => {
    abstract class Port {
      abstract danger(): string;
    }
    class Impl {
      @Tool('x')
      @UseGuards(Deny)
      danger() {
        return 'RAN';
      }
    }
    app = await createApp({ providers: [{ provide: Port, useFactory: () => new Impl() }] });
    expect((await callTool(app, 'danger', {})).status).toBe('denied');
    class Declared {
      @Tool('x')
      danger() {
        return 'base';
      }
    }
    @UseGuards(Deny)
    class Other {
      danger() {
        return 'RAN';
      }
    }
    expect(
      await bootError({ providers: [{ provide: Declared, useFactory: () => new Other() }] }),
    ).toContain('Other.danger: The provider of "Declared" is an instance of another class');
  });
});

describe('a guard that puts another input in place', () => {
  it('decides what the method gets, and the input is still validated', async () => {
    const force = (input: unknown): CanActivate => ({
      canActivate(context) {
        ToolExecutionContext.create(context).getCall().input = input;
        return true;
      },
    });
    class Tenants {
      @Tool({ description: 'x', inputSchema: z.object({ tenant: z.string() }) })
      @UseGuards(force({ tenant: 'mine' }))
      forced(@ToolInput() { tenant }: { tenant: string }) {
        return tenant;
      }
      @Tool({ description: 'x', inputSchema: z.object({ tenant: z.string() }) })
      @UseGuards(force({ tenant: 1 }))
      wrong(@ToolInput() { tenant }: { tenant: string }) {
        return tenant;
      }
    }
    app = await createApp({ providers: [Tenants] });
    expect((await callTool(app, 'forced', { tenant: 'theirs' })).content).toBe('mine');
    expect((await callTool(app, 'wrong', { tenant: 'theirs' })).status).toBe('error');
  });
});

describe('what a forgotten decorator would hide', () => {
  it('stops the boot', async () => {
    class Forgot {
      find(@ToolParam('id') id: string) {
        return id;
      }
    }
    expect(await bootError({ providers: [Forgot] })).toContain(
      'Forgot.find: Its parameters are decorated for a tool, but @Tool() is missing.',
    );
  });

  it('is refused on a tool that is registered at run time', async () => {
    class Runtime {
      readonly name = 'runtime';
      execute(@ToolInput(refusing) input: unknown) {
        return input;
      }
    }
    app = await createApp({});
    await expect(app.get(ToolRegistry).register(new Runtime())).rejects.toThrow(
      'takes no parameter decorators',
    );
  });
});

describe('a model that wants to keep the process busy', () => {
  class Echo {
    ticks = 0;

    @Tool('x')
    echo(@ToolParam('a') a: string) {
      throw new BadRequestException(`No order ${a}`);
    }

    @Tool({ description: 'x', timeout: 30 })
    endless() {
      return interval(2).pipe(tap(() => this.ticks++));
    }
  }

  async function timed(call: () => Promise<ToolCallResult>) {
    const started = performance.now();
    const result = await call();
    return { result, time: performance.now() - started };
  }

  it.each([
    ['one long word', { a: 'a'.repeat(200_000) }],
    ['many hyphens', { a: 'a-'.repeat(100_000) }],
    ['many keys', Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`key${at}`, 1]))],
  ])('is answered at once and shortly: %s', async (_kind, args) => {
    app = await createApp({ providers: [Echo] });
    const { result, time } = await timed(() => callTool(app, 'echo', args));
    expect(time).toBeLessThan(1_500);
    expect(result.content.length).toBeLessThan(41_000);
  });

  it('gets results for arguments that are nested too deeply, and the run goes on', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const model = scripted([
      [
        { tool: 'echo', arguments: deep },
        { tool: 'echo', arguments: {} },
      ],
      'Done.',
    ]);
    app = await createApp({ providers: [Echo] }, { model });
    const { text, steps } = await app.get(AgentService).run('Go.');
    expect(text).toBe('Done.');
    expect(steps[0].toolResults).toHaveLength(2);
    for (const odd of [deep, 10n, [1n]]) {
      expect((await callTool(app, 'echo', odd)).status).toBe('error');
    }
  });

  it('gets error texts that are cut and well-formed', async () => {
    app = await createApp({ providers: [Echo] });
    const { content } = await callTool(app, `\ud800${'x'.repeat(1_000_000)}`, {});
    expect((content as string).isWellFormed()).toBe(true);
    expect(content.length).toBeLessThan(41_000);
  });

  it('does not keep an Observable running after the timeout', async () => {
    app = await createApp({ providers: [Echo] });
    expect((await callTool(app, 'endless', {})).content).toContain('timed out');
    const { ticks } = app.get(Echo);
    await sleep(30);
    expect(app.get(Echo).ticks).toBe(ticks);
  });
});

describe('a reader that stops reading', () => {
  it('does not keep an aborted run from its end', async () => {
    app = await createApp({}, { model: scripted(['one two three']), limits: { timeout: 30 } });
    const stream = app.get(AgentService).stream('Go.');
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    expect(await stream.result).toMatchObject({ status: 'aborted', finishReason: 'timeout' });
  });

  it('may ask for several events at once', async () => {
    app = await createApp({}, { model: scripted(['one']) });
    const iterator = app.get(AgentService).stream('Go.')[Symbol.asyncIterator]();
    const [first, second] = await Promise.all([iterator.next(), iterator.next()]);
    expect([first.value?.type, second.value?.type]).toEqual(['run-started', 'step-started']);
    await iterator.return?.();
  });
});

describe('an agent that is handed what a client sent', () => {
  it.each([undefined, null, 42, {}, []])(
    'refuses %p with a message that says why',
    async (input) => {
      app = await createApp({}, { model: scripted(['x']) });
      await expect(app.get(AgentService).run(input as string)).rejects.toThrow(
        'An agent needs a text or a list of messages',
      );
    },
  );
});
