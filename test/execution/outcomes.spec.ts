/** The table of outcomes: what happens in a call, and what the model and the log are told. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  BadRequestException,
  Catch,
  ConflictException,
  ForbiddenException,
  HttpException,
  InternalServerErrorException,
  Logger,
  UnauthorizedException,
  UnprocessableEntityException,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
} from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import {
  Tool,
  ToolExecutor,
  ToolFailedException,
  ToolEnhancerException,
  ToolInput,
  ToolParam,
  ToolRetryException,
  ToolSignal,
} from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { retry } from 'rxjs';
import { z } from 'zod';
import { createApp } from '../support/app.js';

const log = { error: jest.fn(), warn: jest.fn(), log: jest.fn(), debug: jest.fn() };

/** Everything that went to the log, as one text. */
const logged = () => JSON.stringify(Object.values(log).flatMap((method) => method.mock.calls));

class Deny implements CanActivate {
  canActivate() {
    return false;
  }
}
class Crash implements CanActivate {
  canActivate(): boolean {
    return (undefined as unknown as { authorization: boolean }).authorization;
  }
}

@Catch()
class HttpOnlyFilter implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost) {
    host.switchToHttp().getResponse<{ status(code: number): void }>().status(500);
  }
}

class Thrower {
  next: unknown;
  runs = 0;
  signal?: AbortSignal;

  @Tool('Throws.')
  fail() {
    this.runs++;
    throw this.next;
  }

  @Tool({ description: 'Throws.', errors: 'message' })
  failOpenly() {
    throw this.next;
  }

  @Tool('Throws.')
  @UseFilters(HttpOnlyFilter)
  failWithHttpFilter() {
    throw this.next;
  }

  @Tool('Never runs.')
  @UseGuards(Deny)
  denied() {
    this.runs++;
  }

  @Tool('Never runs.')
  @UseGuards(Crash)
  crashing() {
    this.runs++;
  }

  @Tool({ description: 'Never ends.', timeout: 20 })
  endless(@ToolSignal() signal: AbortSignal) {
    this.signal = signal;
    return new Promise(() => undefined);
  }

  @Tool({
    description: 'Takes arguments.',
    inputSchema: z.object({
      amount: z.number(),
      unit: z.enum(['kg', 'lb']),
      password: z.string().min(3),
    }),
  })
  strict(@ToolInput() _input: { amount: number; unit: string; password: string }) {
    this.runs++;
  }

  @Tool('Takes a field.')
  field(@ToolParam('name') name: string) {
    return name;
  }
}

let app: TestingModule;
let thrower: Thrower;
beforeEach(async () => {
  app = await createApp({ providers: [Thrower] });
  thrower = app.get(Thrower);
  for (const method of Object.values(log)) method.mockClear();
  Logger.overrideLogger(log);
});
afterEach(async () => {
  Logger.overrideLogger(false);
  await app.close();
});

async function failWith(error: unknown, tool = 'fail') {
  thrower.next = error;
  return callTool(app, tool, {});
}

describe('when a tool is unknown', () => {
  it.each(['nope', 'constructor', '__proto__', 'toString', ''])(
    'names the tools there are for "%s"',
    async (name) => {
      const result = await callTool(app, name, {});
      expect(result.status).toBe('error');
      expect(result.content).toBe(
        `There is no tool "${name}". The tools are: crashing, denied, endless, fail, failOpenly, ` +
          'failWithHttpFilter, field, strict.',
      );
    },
  );
});

describe('when arguments are unusable', () => {
  it('names every problem with path, expectation and what came, and keeps secrets out', async () => {
    const { status, content } = await callTool(app, 'strict', {
      amount: 'ten',
      unit: 'stone',
      password: 'x1',
      user: 'admin',
    });
    expect(status).toBe('error');
    expect(content).toContain('The arguments of "strict" cannot be used:');
    expect(content).toMatch(/- amount: .*expected number.*\(got "ten"\)/);
    expect(content).toMatch(/- unit: .*"kg"\|"lb".*\(got "stone"\)/);
    expect(content).toMatch(/- password: /);
    expect(content).not.toContain('x1');
    expect(content).toContain('- user: is not an argument of this tool');
    expect(content).toContain('Correct the arguments and call the tool again.');
    expect(thrower.runs).toBe(0);
  });

  it.each([
    ['malformed', '{"amount": 1'],
    ['not an object', '[1,2]'],
    ['a number', '7'],
    ['a text', '"hi"'],
  ])('refuses %s JSON and quotes it', async (_kind, text) => {
    const { status, content } = await callTool(app, 'strict', text);
    expect(status).toBe('error');
    expect(content).toContain(text.slice(0, 5));
    expect(thrower.runs).toBe(0);
  });

  it.each(['', '  ', 'null', null, undefined])(
    'takes %p for a call without arguments',
    async (args) => {
      expect((await callTool(app, 'fail', args)).content).toContain('failed unexpectedly');
      expect(thrower.runs).toBe(1);
    },
  );

  it('never lets __proto__ reach an object', async () => {
    for (const text of [
      '{"__proto__":{"x":1},"name":"a"}',
      '{"\\u005f_proto__":{"x":1},"name":"a"}',
      '{"__pr\\u006fto__":{"x":1},"name":"a"}',
    ]) {
      expect((await callTool(app, 'field', text)).content).toBe('a');
    }
    expect(({} as { x?: number }).x).toBeUndefined();
    expect((await callTool(app, 'field', {})).content).toContain('- name: is required');
  });

  it('refuses them again when an interceptor repeats the call', async () => {
    let runs = 0;
    class Retried {
      @Tool('Takes a field.')
      @UseInterceptors({ intercept: (_context, next) => next.handle().pipe(retry(2)) })
      retried(@ToolParam('name') _name: string) {
        runs++;
      }
    }
    const retried = await createApp({ providers: [Retried] });
    const { content } = await callTool(retried, 'retried', { name: 'a', user: 'admin' });
    expect(content).toContain('- user: is not an argument of this tool');
    expect(runs).toBe(0);
    await retried.close();
  });

  it.each(['{"password":"hunter2hunter2", x', '[{"password":"hunter2hunter2"}]'])(
    'never repeats a secret of arguments that cannot be read: %s',
    async (args) => {
      expect((await callTool(app, 'field', args)).content).not.toContain('hunter2');
    },
  );

  it('never repeats a secret that is nested in a value', async () => {
    class Nested {
      @Tool({ description: 'Nests.', inputSchema: z.object({ config: z.string() }) })
      nested(@ToolInput() _input: { config: string }) {}
    }
    const nested = await createApp({ providers: [Nested] });
    const { content } = await callTool(nested, 'nested', {
      config: { db: { password: 'hunter2', n: 1 } },
    });
    expect(content).toContain('(got {"db":{"password":"***","n":1}})');
    await nested.close();
  });

  it('does not change the object that code passes', async () => {
    const args = { amount: 1, unit: 'kg', password: 'secret', extra: 1 };
    await callTool(app, 'strict', args);
    expect(args).toEqual({ amount: 1, unit: 'kg', password: 'secret', extra: 1 });
  });
});

describe('when a call is denied', () => {
  it('tells the model no details and the log the name of the guard', async () => {
    const result = await callTool(app, 'denied', {});
    expect(result.status).toBe('denied');
    expect(result.content).toBe('Denied: "denied" may not be called here. Do not call it again.');
    expect(result.error).toBeInstanceOf(ForbiddenException);
    expect(thrower.runs).toBe(0);
    expect(log.warn).toHaveBeenCalledWith('Tool "denied" was denied by Deny', 'AgentTools');
    expect(log.error).not.toHaveBeenCalled();
  });

  it.each([new ForbiddenException('secret reason'), new UnauthorizedException('secret reason')])(
    'is the same for a 401 and a 403 of the method: %p',
    async (error) => {
      const result = await failWith(error);
      expect(result.status).toBe('denied');
      expect(result.content).not.toContain('secret');
    },
  );

  it('does not run the method if a guard crashes, and names the guard in the log', async () => {
    const result = await callTool(app, 'crashing', {});
    expect(result.status).toBe('error');
    expect(thrower.runs).toBe(0);
    expect(logged()).toContain('failed in guard Crash');
  });

  it('does not show invalid arguments to a caller that is denied', async () => {
    expect((await callTool(app, 'denied', { nonsense: 1 })).content).not.toContain('nonsense');
  });
});

describe('when the model should try again', () => {
  it.each([
    [new ToolRetryException('Use a number from the list.'), 'Use a number from the list.'],
    [new BadRequestException('No such unit.'), 'No such unit.'],
    [new BadRequestException('No db at pg://root:hunter2@db'), 'No db at pg://***@db'],
    [new BadRequestException(['a is wrong', 'b is wrong']), 'a is wrong\nb is wrong'],
    [new UnprocessableEntityException('Cannot be.'), 'Cannot be.'],
  ])('gets the messages of %p', async (error, text) => {
    const result = await failWith(error);
    expect(result).toMatchObject({
      status: 'error',
      content: `${text}\nCorrect the call and try again.`,
    });
    expect(log.error).not.toHaveBeenCalled();
  });
});

describe('when the tool says that it failed', () => {
  it.each([
    [new ToolFailedException('There is no order A-1.'), 'There is no order A-1.'],
    [new ConflictException('It was sent already.'), 'It was sent already.'],
    [new HttpException('Gone for good.', 410), 'Gone for good.'],
  ])('the model gets the message of %p', async (error, text) => {
    expect(await failWith(error)).toMatchObject({ status: 'error', content: text });
    expect(log.error).not.toHaveBeenCalled();
  });
});

describe('when anything else is thrown', () => {
  const secret = new Error('connect pg://root:hunter2@db failed, token=abc123456');

  it('gives the model an error id that the log repeats, with credentials cut out', async () => {
    const result = await failWith(secret);
    expect(result.status).toBe('error');
    const id = /^"fail" failed unexpectedly \(error id ([0-9a-f]{8})\)\.$/.exec(
      result.content as string,
    )?.[1];
    expect(logged()).toContain(`[${id}]`);
    expect(logged()).toContain('pg://***@db');
    expect(logged()).not.toContain('hunter2');
    expect(logged()).not.toContain('abc123456');
  });

  it('says once for a tool how to show a message on purpose', async () => {
    await failWith(secret);
    await failWith(secret);
    expect(log.log).toHaveBeenCalledTimes(1);
    expect(logged()).toContain("set `errors: 'message'` on the tool");
  });

  it("shows the message with errors: 'message', never a stack, credentials redacted", async () => {
    const { content } = await failWith(secret, 'failOpenly');
    expect(content).toBe('connect pg://***@db failed, token=***');
  });

  it.each([
    ['a string', 'just text', 'just text'],
    ['undefined', undefined, 'unknown error'],
    ['null', null, 'null'],
    ['an Error without a message', new TypeError(), 'TypeError'],
    ['an object', { code: 7 }, '{"code":7}'],
    ['a 5xx', new InternalServerErrorException('down'), 'down'],
  ])('has a text for %s', async (_kind, thrown, text) => {
    expect((await failWith(thrown, 'failOpenly')).content).toBe(text);
    expect((await failWith(thrown)).content).toMatch(/failed unexpectedly/);
  });

  it('ends the call even if the methods of the exception throw', async () => {
    class Broken extends HttpException {
      override getResponse(): string {
        throw new Error('broken');
      }
    }
    const result = await failWith(new Broken('x', 409));
    expect(result).toMatchObject({ status: 'error', content: '"fail" failed unexpectedly.' });
  });

  it("takes the module's default", async () => {
    const open = await createApp(
      { providers: [Thrower] },
      { toolDefaults: { errors: 'message', timeout: 15 } },
    );
    open.get(Thrower).next = new Error('in the open');
    expect((await callTool(open, 'fail', {})).content).toBe('in the open');
    await open.close();
  });
});

describe('when an exception filter crashes', () => {
  it('names it with the remedy, and the original error decides the outcome', async () => {
    const denied = await failWith(new ForbiddenException(), 'failWithHttpFilter');
    expect(denied.status).toBe('denied');
    const failed = await failWith(
      new ToolFailedException('It is out of stock.'),
      'failWithHttpFilter',
    );
    expect(failed.content).toBe('It is out of stock.');
    expect(failed.error).toBeInstanceOf(ToolEnhancerException);
    expect((failed.error as Error).cause).toBeInstanceOf(ToolFailedException);
    expect(logged()).toContain('Exception filter \\"HttpOnlyFilter\\" crashed in a tool call');
    expect(logged()).toContain('isToolContext(host)');
  });
});

describe('when a call takes too long', () => {
  it('ends with a result, and the signal of the tool aborts', async () => {
    const result = await callTool(app, 'endless', {});
    expect(result).toMatchObject({ status: 'error', content: '"endless" timed out after 20 ms.' });
    expect(thrower.signal?.aborted).toBe(true);
    expect(thrower.signal?.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it("takes the module's default timeout for tools without one", async () => {
    class Slow {
      @Tool('Never ends.')
      slow() {
        return new Promise(() => undefined);
      }
    }
    const slow = await createApp({ providers: [Slow] }, { toolDefaults: { timeout: 15 } });
    expect((await callTool(slow, 'slow', {})).content).toBe('"slow" timed out after 15 ms.');
    await slow.close();
  });

  it('is interrupted when the signal of execute() aborts', async () => {
    const controller = new AbortController();
    const pending = app.get(ToolExecutor).execute('endless', {}, { signal: controller.signal });
    controller.abort();
    expect((await pending).status).toMatch(/interrupted|error/);
    expect(thrower.signal?.aborted).toBe(true);
    const late = await app.get(ToolExecutor).execute('fail', {}, { signal: controller.signal });
    expect(late.status).toBe('interrupted');
    expect(thrower.runs).toBe(0);
  });
});
