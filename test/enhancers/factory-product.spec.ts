/**
 * What a request-scoped factory makes is not known at boot, only the class that is its token. What it
 * makes must not bring guards, or metadata that guards read, which nobody has looked at.
 */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  Inject,
  Injectable,
  Logger,
  Optional,
  Scope,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CanActivate,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { Tool, ToolParam, ToolRegistry } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { createApp } from '../support/app.js';

const ran: string[] = [];
const log = { log: jest.fn(), warn: jest.fn(), error: jest.fn() };

class Deny implements CanActivate {
  canActivate() {
    return false;
  }
}
class Refuse implements PipeTransform {
  transform(): never {
    throw new Error('refused by a pipe');
  }
}
const Roles = (...roles: string[]) => SetMetadata('roles', roles);

/** Lets pass what has no roles, so metadata that it does not see opens a tool. */
@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}
  canActivate(context: ExecutionContext) {
    const targets = [context.getHandler(), context.getClass()];
    return !this.reflector.getAllAndOverride<string[] | undefined>('roles', targets);
  }
}

class OrderTools {
  @Tool('Refund an order.')
  refund(@ToolParam('orderNo') orderNo: string): string {
    ran.push(`refund ${orderNo}`);
    return this.reply(orderNo);
  }
  protected reply(orderNo: string) {
    return `refunded ${orderNo}`;
  }
}

let app: TestingModule;
beforeEach(() => {
  ran.length = 0;
  for (const method of Object.values(log)) method.mockClear();
});
afterEach(async () => {
  Logger.overrideLogger(false);
  await app.close();
});

async function refundWith(make: () => unknown, scope = Scope.REQUEST) {
  app = await createApp({
    providers: [
      { provide: OrderTools, scope, useFactory: make },
      { provide: APP_GUARD, useClass: RolesGuard },
    ],
  });
  Logger.overrideLogger(log);
  return callTool(app, 'refund', { orderNo: 'A-1' });
}

class Renamed extends OrderTools {
  protected override reply(orderNo: string) {
    return `renamed ${orderNo}`;
  }
}
class Overriding extends OrderTools {
  override refund(orderNo: string) {
    return super.refund(orderNo);
  }
}
@Injectable()
class Injected extends OrderTools {
  @Inject('CONFIG') @Optional() config?: object;
  constructor(@Optional() @Inject('OTHER') readonly other?: object) {
    super();
  }
}
class OtherMethod extends OrderTools {
  @UseGuards(Deny)
  @Roles('support')
  unrelated() {}
}

describe.each([Scope.REQUEST, Scope.TRANSIENT])('in scope %p, a factory may make', (scope) => {
  it.each<[string, () => unknown, string]>([
    ['an instance of its class', () => new OrderTools(), 'refunded A-1'],
    ['a promise of one', () => Promise.resolve(new OrderTools()), 'refunded A-1'],
    ['a proxy of one', () => new Proxy(new OrderTools(), {}), 'refunded A-1'],
    ['a subclass without decorators', () => new Renamed(), 'renamed A-1'],
    ['a subclass that overrides the method', () => new Overriding(), 'refunded A-1'],
    ['a subclass with injected properties', () => new Injected(), 'refunded A-1'],
    ['a subclass with decorators on other methods', () => new OtherMethod(), 'refunded A-1'],
    ['an object that inherits from one', () => Object.create(new OrderTools()), 'refunded A-1'],
  ])('%s', async (_what, make, content) => {
    expect(await refundWith(make, scope)).toMatchObject({ status: 'success', content });
    expect(ran).toEqual(['refund A-1']);
    expect(await callTool(app, 'refund', { orderNo: 'A-2' })).toMatchObject({ status: 'success' });
    expect(ran).toEqual(['refund A-1', 'refund A-2']);
  });

  it('a plain object that stands for it', async () => {
    const refund = () => ran.push('mock');
    expect((await refundWith(() => ({ refund }), scope)).status).toBe('success');
    expect(ran).toEqual(['mock']);
  });
});

@UseGuards(Deny)
class GuardedClass extends OrderTools {}
class GuardedMethod extends OrderTools {
  @UseGuards(Deny)
  override refund(orderNo: string) {
    return super.refund(orderNo);
  }
}
@Roles('support')
class RoleOfClass extends OrderTools {}
class RoleOfMethod extends OrderTools {
  @Roles('support')
  override refund(orderNo: string) {
    return super.refund(orderNo);
  }
}
class Redeclared extends OrderTools {
  @Tool({ name: 'refund', description: 'Refund another way.' })
  override refund(@ToolParam('orderNo') orderNo: string) {
    return super.refund(orderNo);
  }
}
@UseInterceptors({ intercept: () => Promise.reject(new Error('no')) })
class InterceptedClass extends OrderTools {}
@UsePipes(Refuse)
class PipedClass extends OrderTools {}
@UseFilters({ catch: () => 'filtered' })
class FilteredClass extends OrderTools {}
class PipedParameter extends OrderTools {
  override refund(@ToolParam('orderNo', Refuse) orderNo: string) {
    return super.refund(orderNo);
  }
}
class Deep extends GuardedClass {}

const REFUSED: [string, new () => OrderTools][] = [
  ['@UseGuards() on the class', GuardedClass],
  ['@UseGuards() on the method', GuardedMethod],
  ['@Roles() on the class', RoleOfClass],
  ['@Roles() on the method', RoleOfMethod],
  ['another @Tool()', Redeclared],
  ['@UseInterceptors() on the class', InterceptedClass],
  ['@UsePipes() on the class', PipedClass],
  ['@UseFilters() on the class', FilteredClass],
  ['a pipe on the parameter', PipedParameter],
  ['@UseGuards() on a class between the two', Deep],
];

describe('a factory may not make a subclass with', () => {
  it.each(REFUSED)('%s: the call fails, and the method does not run', async (_what, made) => {
    const { status, content } = await refundWith(() => new made());
    expect(ran).toEqual([]);
    expect(status).toBe('error');
    // The model is told nothing of the classes of the application.
    expect(content).toMatch(/^"refund" failed unexpectedly \(error id \w+\)\.$/);
  });

  it.each(REFUSED)('%s: also not in a second call', async (_what, made) => {
    await refundWith(() => new made());
    expect((await callTool(app, 'refund', { orderNo: 'A-2' })).status).toBe('error');
    expect(ran).toEqual([]);
  });

  it.each(REFUSED)('%s: the log names both classes and the remedy', async (_what, made) => {
    await refundWith(() => new made());
    const logged = log.error.mock.calls.map(([message]) => String(message)).join('\n');
    expect(logged).toContain('"OrderTools"');
    expect(logged).toContain(`Provide it under the token "${made.name}"`);
  });

  it.each(REFUSED)('%s: nor a proxy of one', async (_what, made) => {
    expect((await refundWith(() => new Proxy(new made(), {}))).status).toBe('error');
    expect(ran).toEqual([]);
  });
});

describe('a factory that makes different things', () => {
  it('is refused only for those that are not looked at', async () => {
    const products = [new OrderTools(), new GuardedMethod(), new OrderTools(), new GuardedMethod()];
    const statuses = [(await refundWith(() => products.shift())).status];
    for (let count = 0; count < 3; count++) {
      statuses.push((await callTool(app, 'refund', { orderNo: 'A-2' })).status);
    }
    expect(statuses).toEqual(['success', 'error', 'success', 'error']);
    expect(ran).toEqual(['refund A-1', 'refund A-2']);
  });

  it.each<[string, () => unknown]>([
    ['nothing', () => undefined],
    ['null', () => null],
    ['a text', () => 'OrderTools'],
    ['an object without the method', () => ({})],
    [
      'an error',
      () => {
        throw new Error('no connection');
      },
    ],
  ])('fails with an error result if it makes %s', async (_what, make) => {
    expect((await refundWith(make)).status).toBe('error');
    expect(ran).toEqual([]);
  });
});

describe('the same subclass under its own token', () => {
  it.each([
    ['guarded', GuardedMethod],
    ['of a role', RoleOfMethod],
  ])('is found with its decorators: %s', async (_what, made) => {
    // An override without `@Tool()` keeps only what stands on the declared method.
    class Declared extends made {
      @Tool('Refund an order.')
      @UseGuards(Deny)
      override refund(@ToolParam('orderNo') orderNo: string) {
        return super.refund(orderNo);
      }
    }
    app = await createApp({
      providers: [{ provide: Declared, scope: Scope.REQUEST, useFactory: () => new Declared() }],
    });
    expect(app.get(ToolRegistry).list()).toHaveLength(1);
    expect((await callTool(app, 'refund', { orderNo: 'A-1' })).status).toBe('denied');
    expect(ran).toEqual([]);
  });
});
