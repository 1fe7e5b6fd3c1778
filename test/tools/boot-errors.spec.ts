import { describe, expect, it, jest } from '@jest/globals';
import {
  Body,
  createParamDecorator,
  Injectable,
  Logger,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CanActivate,
  type PipeTransform,
} from '@nestjs/common';
import { APP_GUARD, LazyModuleLoader } from '@nestjs/core';
import { IsString } from 'class-validator';
import {
  CurrentToolCall,
  Tool,
  ToolDeclarationException,
  ToolInput,
  ToolParam,
  ToolRegistry,
  type ToolCall,
} from 'nestjs-agent-tools';
import { z } from 'zod';
import { bootError, compileApp, createApp, moduleOf } from '../support/app.js';

const User = createParamDecorator(() => 'user');

class Allow implements CanActivate {
  canActivate() {
    return true;
  }
}

class Missing {}

@Injectable()
class NeedsMissing implements CanActivate {
  constructor(readonly missing: Missing) {}
  canActivate() {
    return true;
  }
}

/** Replaces the method without copying its metadata, as many decorators do. */
function Naive(): MethodDecorator {
  return (_target, _key, descriptor) => {
    const original = descriptor.value as unknown as (...args: unknown[]) => unknown;
    descriptor.value = function (this: unknown, ...args: unknown[]) {
      return original.apply(this, args);
    } as never;
  };
}

class Dto {
  @IsString()
  text!: string;
}

describe('when tools are not in order, the application does not start and names', () => {
  it('two tools of one name with both owners', async () => {
    class First {
      @Tool({ name: 'search', description: 'Searches.' })
      find() {}
    }
    class Second {
      @Tool({ name: 'search', description: 'Searches too.' })
      lookUp() {}
    }
    const message = await bootError({ providers: [First, Second] });
    expect(message).toContain('Second.lookUp: The name "search" is taken by First.find.');
    expect(message).toContain('Set another `name`');
  });

  it('a class that two modules provide', async () => {
    class Twice {
      @Tool('Anything.')
      run() {}
    }
    const message = await bootError({
      imports: [moduleOf({ providers: [Twice] }), moduleOf({ providers: [Twice] })],
    });
    expect(message).toContain('Twice.run: The name "run" is taken by Twice.run');
    expect(message).toContain('in one module only and export it');
  });

  it.each(['', ' ', ' run', 'run ', 'a\nb', 'a\u0000b', 'x'.repeat(257)])(
    'the illegal name "%s"',
    async (name) => {
      class Illegal {
        @Tool({ name, description: 'Anything.' })
        run() {}
      }
      const message = await bootError({ providers: [Illegal] });
      expect(message).toContain(`Illegal.run: The tool name "${name}" is not allowed`);
    },
  );

  it('a method with a symbol for its name', async () => {
    const key = Symbol('run');
    class Symbolic {
      @Tool('Anything.')
      [key]() {}
    }
    expect(await bootError({ providers: [Symbolic] })).toContain(
      'Symbolic.Symbol(run): A method with a symbol for its name needs a `name`',
    );
  });

  it('a parameter that is neither described nor injected', async () => {
    class Undecorated {
      @Tool('Anything.')
      run(@ToolParam('a') a: string, b: string) {
        return a + b;
      }
    }
    const message = await bootError({ providers: [Undecorated] });
    expect(message).toContain(
      'Undecorated.run: Parameter 2 is neither described nor injected. Mark it with @ToolInput()',
    );
  });

  it('a sole undecorated parameter of a built-in type', async () => {
    class BuiltIn {
      @Tool('Anything.')
      run(text: string) {
        return text;
      }
    }
    expect(await bootError({ providers: [BuiltIn] })).toContain('Parameter 1 is neither described');
  });

  it('a decorator for HTTP handlers, and two decorators on one parameter', async () => {
    class Http {
      @Tool('Anything.')
      body(@Body() body: unknown) {
        return body;
      }

      @Tool('Anything.')
      both(@ToolInput() @User() input: Dto) {
        return input;
      }
    }
    const message = await bootError({ providers: [Http] });
    expect(message).toContain('Http.body: Parameter 1 has a decorator for HTTP handlers');
    expect(message).toContain('Http.both: Parameter 1 has more than one parameter decorator');
  });

  it('types that cannot be described', async () => {
    class NoMetadata {
      text!: string;
    }
    class Undescribable {
      @Tool('Anything.')
      list(@ToolParam('items') items: string[]) {
        return items;
      }
      @Tool('Anything.')
      object(@ToolInput() input: object) {
        return input;
      }
      @Tool('Anything.')
      plain(@ToolInput() input: NoMetadata) {
        return input;
      }
      @Tool({ description: 'Anything.', inputSchema: z.object({ at: z.date() }) })
      date(@ToolInput() input: { at: Date }) {
        return input;
      }
      @Tool({ description: 'Anything.', inputSchema: z.string() })
      text(@ToolInput() input: string) {
        return input;
      }
      @Tool({
        description: 'Anything.',
        inputSchema: { type: 'object', properties: { a: { type: 'strin' } } },
      })
      raw(@ToolInput() input: unknown) {
        return input;
      }
      // @ts-expect-error the compiler sees it, too
      @Tool({ description: 'Anything.', inputSchema: z.object({ a: z.string() }) })
      unused() {}
    }
    const message = await bootError({ providers: [Undescribable] });
    expect(message).toContain('7 problems with the tools of this application');
    expect(message).toContain(
      "list: The type of parameter \"items\" cannot be described: TypeScript's metadata says Array. Write @ToolParam('items', { schema: … })",
    );
    expect(message).toContain('object: The type of the @ToolInput() parameter cannot be described');
    expect(message).toContain(
      'plain: Class "NoMetadata" (NoMetadata) has no class-validator decorator',
    );
    expect(message).toContain('date: zod cannot describe this schema as JSON Schema');
    expect(message).toContain(
      'text: The input of a tool must be an object, but the schema describes "string"',
    );
    expect(message).toContain('raw: This is not a valid JSON Schema');
    expect(message).toContain(
      'unused: The tool has an `inputSchema`, but no parameter takes the input',
    );
  });

  it('contradictions between parameters', async () => {
    class Contradicting {
      @Tool('Anything.')
      mixed(@ToolInput() input: Dto, @ToolParam('a') a: string) {
        return [input, a];
      }
      @Tool('Anything.')
      twice(@ToolParam('a') a: string, @ToolParam('a') b: string) {
        return a + b;
      }
    }
    const message = await bootError({ providers: [Contradicting] });
    expect(message).toContain('mixed: @ToolInput() and @ToolParam() exclude each other');
    expect(message).toContain('twice: Two parameters are named "a"');
  });

  it('an enhancer that cannot be created for a factory host', async () => {
    class Host {
      @Tool('Anything.')
      @UseGuards(NeedsMissing)
      run() {}
    }
    const message = await bootError({
      providers: [{ provide: 'HOST', useFactory: () => new Host() }],
    });
    expect(message).toContain('Host.run: "NeedsMissing" cannot be created in module');
    expect(message).toContain('Import what it depends on into that module.');
  });

  it.each([
    ['guards', UseGuards(Allow)],
    ['interceptors', UseInterceptors({ intercept: (_context, next) => next.handle() })],
    ['pipes', UsePipes({ transform: (value: unknown) => value } as PipeTransform)],
  ])('%s that a wrapping decorator lost', async (kind, enhancer) => {
    class ToolOutside {
      @Tool('Anything.')
      @Naive()
      @enhancer
      run() {}
    }
    class ToolInside {
      @Naive()
      @Tool('Anything.')
      @enhancer
      run() {}
    }
    class ToolInnermost {
      @Naive()
      @enhancer
      @Tool('Anything.')
      run() {}
    }
    for (const host of [ToolOutside, ToolInside, ToolInnermost]) {
      expect(await bootError({ providers: [host] })).toContain(
        `${host.name}.run: A decorator that wraps the method lost its ${kind}.`,
      );
    }
  });

  it('enhancers on an override that does not repeat @Tool()', async () => {
    class Base {
      @Tool('Anything.')
      run() {}
    }
    class Sub extends Base {
      @UseGuards(Allow)
      override run() {}
    }
    expect(await bootError({ providers: [Sub] })).toContain(
      'Sub.run: The override has guards but no @Tool()',
    );
  });

  it('something that is no enhancer', async () => {
    class NoGuard {}
    class Host {
      @Tool('Anything.')
      @UseGuards(NoGuard)
      run() {}
    }
    expect(await bootError({ providers: [Host] })).toContain(
      'Host.run: "NoGuard" is used as a guard but has no method "canActivate"',
    );
  });

  it.each([Number.NaN, 0, -1, 3_600_001])('the timeout %p of a tool', async (timeout) => {
    class Timed {
      @Tool({ description: 'Anything.', timeout })
      run() {}
    }
    expect(await bootError({ providers: [Timed] })).toContain(
      `Timed.run: The tool has \`timeout: ${timeout}\`. Give milliseconds from 1 to 3600000`,
    );
  });

  it('a parameter with both a schema and values', async () => {
    class Both {
      @Tool('Anything.')
      run(@ToolParam('color', { schema: z.string(), enum: ['red'] }) color: string) {
        return color;
      }
    }
    expect(await bootError({ providers: [Both] })).toContain(
      'Both.run: Parameter "color" has both `schema` and `enum`. Put the values into the schema.',
    );
  });

  it('everything in one error', async () => {
    class Many {
      @Tool({ name: ' a' })
      first() {}
      @Tool()
      second(x: string) {
        return x;
      }
      @Tool()
      @UseGuards(NeedsMissing)
      third() {}
    }
    const app = await compileApp({
      providers: [{ provide: 'MANY', useFactory: () => new Many() }],
    });
    const error = await app.init().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ToolDeclarationException);
    const { problems } = error as ToolDeclarationException;
    expect(
      problems.map(({ className, methodName }) => `${className}.${methodName}`).toSorted(),
    ).toEqual(['Many.first', 'Many.second', 'Many.third']);
  });
});

describe('when @Tool() is put where it cannot work', () => {
  it('throws at once for a static method', () => {
    expect(() => {
      class Static {
        static run() {}
      }
      Tool('x')(Static, 'run', Object.getOwnPropertyDescriptor(Static, 'run') as never);
    }).toThrow('@Tool() on "Static.run" has no effect there. Put it on an instance method.');
  });

  it('throws at once for a parameter decorator on a constructor', () => {
    expect(() => {
      class Constructed {}
      ToolInput()(Constructed, undefined, 0);
    }).toThrow('stands on the constructor of "Constructed"');
  });
});

describe('when the application starts', () => {
  it('warns about a missing description and reports every tool at debug level', async () => {
    const log = { warn: jest.fn(), debug: jest.fn(), log: jest.fn(), error: jest.fn() };
    class Reported {
      @Tool()
      silent() {}

      @Tool('Says something.')
      @UseGuards(Allow)
      loud(@ToolParam('text') text: string, @CurrentToolCall() _call: ToolCall) {
        return text;
      }
    }
    class FeatureModule {}
    Logger.overrideLogger(log);
    const app = await compileApp({
      imports: [{ module: FeatureModule, providers: [Reported] }],
      providers: [{ provide: APP_GUARD, useClass: Allow }],
    });
    Logger.overrideLogger(log);
    await app.init();
    Logger.overrideLogger(false);
    expect(log.warn).toHaveBeenCalledWith(
      expect.stringContaining('Tool "silent" (Reported.silent) has no description'),
      'AgentTools',
    );
    expect(log.debug).toHaveBeenCalledWith(
      'Tool "loud" → Reported.loud in FeatureModule, singleton, schema from parameters, enhancers: Allow (global), Allow',
      'AgentTools',
    );
    await app.close();
  });

  it('leaves out the tools of a lazily loaded module that are not in order, and says so', async () => {
    const log = { warn: jest.fn(), debug: jest.fn(), log: jest.fn(), error: jest.fn() };
    class Good {
      @Tool('Anything.')
      good() {}
    }
    class Bad {
      @Tool({ name: 'no\ngood' })
      bad() {}
      @Tool({ name: 'good' })
      second() {}
    }
    const app = await createApp({ providers: [Good] });
    await app.get(LazyModuleLoader).load(() => moduleOf({ providers: [Bad] }));
    Logger.overrideLogger(log);
    const names = app
      .get(ToolRegistry)
      .list()
      .map(({ name }) => name);
    Logger.overrideLogger(false);
    expect(names).toEqual(['good']);
    expect(log.error).toHaveBeenCalledTimes(1);
    expect(log.error.mock.calls[0][0]).toContain('2 problems with the tools of this application');
    await app.close();
  });

  it('takes out a lazily loaded tool whose enhancers would not run', async () => {
    const log = { warn: jest.fn(), debug: jest.fn(), log: jest.fn(), error: jest.fn() };
    class Late {
      @Tool('Anything.')
      @UseGuards(NeedsMissing)
      late() {}
    }
    const app = await createApp({ providers: [] });
    const provider = { provide: 'LATE', useFactory: () => new Late() };
    await app.get(LazyModuleLoader).load(() => moduleOf({ providers: [provider] }));
    Logger.overrideLogger(log);
    const registry = app.get(ToolRegistry);
    registry.list();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(registry.list()).toEqual([]);
    Logger.overrideLogger(false);
    expect(log.error.mock.calls[0][0]).toContain('Late.late: "NeedsMissing" cannot be created');
    await app.close();
  });
});
