import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Catch,
  createParamDecorator,
  Injectable,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ArgumentMetadata,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { tap } from 'rxjs';
import {
  CurrentToolCall,
  RunContext,
  Tool,
  ToolInput,
  ToolParam,
  ToolSignal,
} from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { createApp } from '../support/app.js';

/** Every enhancer writes here, in the order in which it runs. */
@Injectable()
class Journal {
  entries: string[] = [];
  refusing?: string;
  catching?: string;
}

const LEVELS = ['global', 'class', 'method'] as const;
type Level = (typeof LEVELS)[number];

function guardAt(level: Level): Type<CanActivate> {
  @Injectable()
  class LevelGuard implements CanActivate {
    constructor(private readonly journal: Journal) {}
    canActivate(context: ExecutionContext) {
      this.journal.entries.push(`guard ${level} ${context.getType()} ${context.getClass().name}`);
      return this.journal.refusing !== level;
    }
  }
  return LevelGuard;
}

function interceptorAt(level: Level): Type<NestInterceptor> {
  @Injectable()
  class LevelInterceptor implements NestInterceptor {
    constructor(private readonly journal: Journal) {}
    intercept(_context: ExecutionContext, next: CallHandler) {
      this.journal.entries.push(`before ${level}`);
      return next.handle().pipe(tap(() => this.journal.entries.push(`after ${level}`)));
    }
  }
  return LevelInterceptor;
}

function pipeAt(level: Level | 'parameter'): Type<PipeTransform> {
  @Injectable()
  class LevelPipe implements PipeTransform {
    constructor(private readonly journal: Journal) {}
    transform(value: unknown, { type, data, metatype }: ArgumentMetadata) {
      this.journal.entries.push(`pipe ${level} ${type} ${data ?? '-'} ${metatype?.name}`);
      return value;
    }
  }
  return LevelPipe;
}

function filterAt(level: Level): Type<ExceptionFilter> {
  @Catch()
  @Injectable()
  class LevelFilter implements ExceptionFilter {
    constructor(private readonly journal: Journal) {}
    catch(error: unknown) {
      this.journal.entries.push(`filter ${level}`);
      if (this.journal.catching === level) return `caught at ${level}`;
      throw error;
    }
  }
  return LevelFilter;
}

const guards = { global: guardAt('global'), class: guardAt('class'), method: guardAt('method') };
const interceptors = {
  global: interceptorAt('global'),
  class: interceptorAt('class'),
  method: interceptorAt('method'),
};
const pipes = {
  global: pipeAt('global'),
  class: pipeAt('class'),
  method: pipeAt('method'),
  parameter: pipeAt('parameter'),
};
const filters = {
  global: filterAt('global'),
  class: filterAt('class'),
  method: filterAt('method'),
};

const User = createParamDecorator((field: string, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<{ user: Record<string, string> }>();
  return request.user[field];
});

@Injectable()
@UseGuards(guards.class)
@UseInterceptors(interceptors.class)
@UsePipes(pipes.class)
@UseFilters(filters.class)
class Host {
  constructor(readonly journal: Journal) {}

  @Tool({ description: 'Anything.', inputSchema: z.object({ text: z.string() }) })
  @UseGuards(guards.method)
  @UseInterceptors(interceptors.method)
  @UsePipes(pipes.method)
  @UseFilters(filters.method)
  run(
    @ToolInput(pipes.parameter) input: { text: string },
    @User('name') user: string,
    @CurrentToolCall() _call: unknown,
    @ToolSignal() _signal: unknown,
    @RunContext('tenant') tenant: string,
  ) {
    this.journal.entries.push(`method ${input.text} ${user} ${tenant}`);
    if (input.text === 'throw') throw new Error('from the method');
    return `${input.text}, ${user}`;
  }

  @Tool('Anything.')
  @UsePipes(pipes.method)
  field(@ToolParam('text', pipes.parameter) text: string) {
    return text;
  }
}

const globals: Provider[] = [
  { provide: APP_GUARD, useClass: guards.global },
  { provide: APP_INTERCEPTOR, useClass: interceptors.global },
  { provide: APP_PIPE, useClass: pipes.global },
  { provide: APP_FILTER, useClass: filters.global },
];

const forms: Record<string, Provider> = {
  class: { provide: Host, useClass: Host },
  useFactory: {
    provide: 'HOST',
    useFactory: (journal: Journal) => new Host(journal),
    inject: [Journal],
  },
  'useFactory under its class': {
    provide: Host,
    useFactory: (journal: Journal) => new Host(journal),
    inject: [Journal],
  },
  'a proxy': {
    provide: 'HOST',
    useFactory: (journal: Journal) => new Proxy(new Host(journal), {}),
    inject: [Journal],
  },
};

const options = { request: { user: { name: 'Ada' } }, context: { tenant: 'acme' } as never };

let app: TestingModule;
afterEach(() => app.close());

describe.each(Object.entries(forms))('when the host is registered as %s', (_form, provider) => {
  it('runs every enhancer of every level once, in the order of Nest', async () => {
    app = await createApp({ providers: [Journal, provider, ...globals] });
    const result = await callTool(app, 'run', { text: 'hi' }, options);
    expect(result).toMatchObject({ status: 'success', content: 'hi, Ada' });
    expect(app.get(Journal).entries).toEqual([
      'guard global agent-tool Host',
      'guard class agent-tool Host',
      'guard method agent-tool Host',
      'before global',
      'before class',
      'before method',
      // Two parameters go through pipes; what the framework injects does not.
      'pipe global custom - Object',
      'pipe class custom - Object',
      'pipe method custom - Object',
      'pipe parameter custom - Object',
      'pipe global custom name String',
      'pipe class custom name String',
      'pipe method custom name String',
      'method hi Ada acme',
      'after method',
      'after class',
      'after global',
    ]);
  });

  it.each(LEVELS)('does not run the method if the guard of the %s says no', async (level) => {
    app = await createApp({ providers: [Journal, provider, ...globals] });
    const journal = app.get(Journal);
    journal.refusing = level;
    const result = await callTool(app, 'run', { text: 'hi' }, options);
    expect(result.status).toBe('denied');
    const asked = LEVELS.slice(0, LEVELS.indexOf(level) + 1).map(
      (at) => `guard ${at} agent-tool Host`,
    );
    expect(journal.entries).toEqual([...asked, 'filter method']);
  });

  it('lets only the nearest filter answer', async () => {
    app = await createApp({ providers: [Journal, provider, ...globals] });
    const journal = app.get(Journal);
    journal.catching = 'method';
    const result = await callTool(app, 'run', { text: 'throw' }, options);
    expect(result).toMatchObject({ status: 'success', content: 'caught at method' });
    journal.catching = 'class';
    expect((await callTool(app, 'run', { text: 'throw' }, options)).status).toBe('error');
    const ran = journal.entries.filter((entry) => entry.startsWith('filter'));
    expect(ran).toEqual(['filter method', 'filter method']);
  });

  it('passes a field through the pipes with its name', async () => {
    app = await createApp({ providers: [Journal, provider, ...globals] });
    expect((await callTool(app, 'field', { text: 'hi' }, options)).content).toBe('hi');
    expect(app.get(Journal).entries.filter((entry) => entry.startsWith('pipe'))).toEqual([
      'pipe global custom text String',
      'pipe class custom text String',
      'pipe method custom text String',
      'pipe parameter custom text String',
    ]);
  });
});

describe('when filters catch different errors', () => {
  class Special extends Error {}

  @Catch(Special)
  class SpecialFilter implements ExceptionFilter {
    catch() {
      return 'special';
    }
  }
  @Catch()
  class AnyFilter implements ExceptionFilter {
    catch() {
      return Promise.resolve('any');
    }
  }
  @Catch()
  class SilentFilter implements ExceptionFilter {
    catch() {}
  }

  @UseFilters(AnyFilter)
  class Throwing {
    @Tool('Anything.')
    @UseFilters(SpecialFilter)
    special() {
      throw new Special();
    }

    @Tool('Anything.')
    @UseFilters(SpecialFilter)
    other() {
      throw new Error('other');
    }

    @Tool('Anything.')
    @UseFilters(SilentFilter)
    silent() {
      throw new Error('silent');
    }
  }

  it('takes the nearest that matches, and one that returns nothing has not handled the error', async () => {
    app = await createApp({ providers: [Throwing] });
    expect((await callTool(app, 'special', {})).content).toBe('special');
    expect((await callTool(app, 'other', {})).content).toBe('any');
    expect((await callTool(app, 'silent', {})).status).toBe('error');
  });

  it('lets a global filter answer where no nearer one is', async () => {
    class Bare {
      @Tool('Anything.')
      run() {
        throw new Error('bare');
      }
    }
    app = await createApp({ providers: [Bare, { provide: APP_FILTER, useClass: AnyFilter }] });
    expect((await callTool(app, 'run', {})).content).toBe('any');
  });

  it('lets the filter of the class answer where the method has none that matches', async () => {
    @UseFilters(AnyFilter)
    class Classy {
      @Tool('Anything.')
      run() {
        throw new Error('classy');
      }
    }
    app = await createApp({ providers: [Classy] });
    expect((await callTool(app, 'run', {})).content).toBe('any');
  });
});

describe('when enhancers are added with useGlobal… after the boot', () => {
  it('they run from the next call on', async () => {
    class Bare {
      @Tool('Anything.')
      run() {
        return 'ran';
      }
    }
    const testing = await createApp({ providers: [Bare] });
    app = testing;
    expect((await callTool(app, 'run', {})).status).toBe('success');
    const nest = testing.createNestApplication();
    nest.useGlobalGuards({ canActivate: () => false });
    expect((await callTool(app, 'run', {})).status).toBe('denied');
  });
});
