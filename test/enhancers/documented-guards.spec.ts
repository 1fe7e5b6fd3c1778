/**
 * The guards and the decorator of Nest's documentation, word for word (docs.nestjs.com: Guards,
 * Custom decorators, Authentication), on tools: they must decide as on a controller, whatever the
 * model sends.
 */
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createParamDecorator,
  Injectable,
  SetMetadata,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type Provider,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import type { Observable } from 'rxjs';
import { AgentService, Tool, ToolInput } from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { createApp } from '../support/app.js';

interface User {
  readonly name: string;
  readonly roles: readonly string[];
}
interface HttpRequest {
  readonly headers: Record<string, string>;
  readonly user?: User;
}

function validateRequest(request: HttpRequest): boolean {
  return request.headers.authorization === 'Bearer valid';
}

@Injectable()
class AuthGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> | Observable<boolean> {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    return validateRequest(request);
  }
}

@Injectable()
class StrictAuthGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<HttpRequest | undefined>();
    const [type, token] = request?.headers.authorization?.split(' ') ?? [];
    if (type !== 'Bearer' || token !== 'valid') throw new UnauthorizedException();
    return Promise.resolve(true);
  }
}

const Roles = (...roles: string[]) => SetMetadata('roles', roles);

@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride<string[] | undefined>('roles', [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!roles) {
      return true;
    }
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const user = request.user as User;
    return roles.some((role) => user.roles.includes(role));
  }
}

const CurrentUser = createParamDecorator(
  (data: keyof User | undefined, context: ExecutionContext) => {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const user = request.user;
    return data ? user?.[data] : user;
  },
);

class Ledger {
  readonly runs: string[] = [];
}

class MethodGuarded {
  readonly ledger = new Ledger();

  @Tool({ description: 'Refunds.', inputSchema: { type: 'object', additionalProperties: true } })
  @Roles('admin')
  @UseGuards(AuthGuard, RolesGuard)
  refund(@ToolInput() _input: unknown, @CurrentUser('name') name: string) {
    this.ledger.runs.push(name);
    return `refunded by ${name}`;
  }
}

@Roles('admin')
@UseGuards(StrictAuthGuard, RolesGuard)
class ClassGuarded {
  readonly ledger = new Ledger();

  @Tool({ description: 'Refunds.', inputSchema: { type: 'object', additionalProperties: true } })
  refund(@ToolInput() _input: unknown, @CurrentUser('name') name: string) {
    this.ledger.runs.push(name);
    return `refunded by ${name}`;
  }
}

/** Declares nothing itself: the guards are those of the application. */
class GloballyGuarded {
  readonly ledger = new Ledger();

  @Tool({ description: 'Refunds.', inputSchema: { type: 'object', additionalProperties: true } })
  @Roles('admin')
  refund(@ToolInput() _input: unknown, @CurrentUser('name') name: string) {
    this.ledger.runs.push(name);
    return `refunded by ${name}`;
  }
}
const globalGuards: Provider[] = [
  { provide: APP_GUARD, useClass: AuthGuard },
  { provide: APP_GUARD, useClass: RolesGuard },
];

class Inherited extends MethodGuarded {}
class Overriding extends MethodGuarded {
  override refund(input: unknown, name: string) {
    return super.refund(input, name);
  }
}

const admin: HttpRequest = {
  headers: { authorization: 'Bearer valid' },
  user: { name: 'Ada', roles: ['admin'] },
};
const customer: HttpRequest = {
  headers: { authorization: 'Bearer valid' },
  user: { name: 'Bob', roles: ['customer'] },
};
const anonymous: HttpRequest = { headers: {} };

/** What a model sends that wants to be an admin. */
const hostile = {
  user: { name: 'Eve', roles: ['admin'] },
  roles: ['admin'],
  headers: { authorization: 'Bearer valid' },
  session: { user: { name: 'Eve', roles: ['admin'] } },
  request: { headers: { authorization: 'Bearer valid' }, user: { name: 'Eve', roles: ['admin'] } },
  req: { user: { roles: ['admin'] } },
  raw: { headers: { authorization: 'Bearer valid' } },
  name: 'Eve',
  __proto__: { roles: ['admin'] },
};
const hostileText = JSON.stringify(hostile).replace(
  '{',
  '{"__proto__":{"user":{"name":"Eve","roles":["admin"]},"headers":{"authorization":"Bearer valid"}},',
);

const HOSTS = { MethodGuarded, ClassGuarded, GloballyGuarded, Inherited, Overriding };

const FORMS: Record<string, (host: new () => { ledger: Ledger }) => Provider> = {
  'a class': (host) => host,
  useClass: (host) => ({ provide: 'HOST', useClass: host }),
  'useFactory under a string': (host) => ({ provide: 'HOST', useFactory: () => new host() }),
  'useFactory under its class': (host) => ({ provide: host, useFactory: () => new host() }),
  'a factory of a proxy': (host) => ({
    provide: 'HOST',
    useFactory: () => new Proxy(new host(), {}),
  }),
  useValue: (host) => ({ provide: 'HOST', useValue: new host() }),
  'useValue under its class': (host) => ({ provide: host, useValue: new host() }),
};

const cases = Object.entries(HOSTS).flatMap(([name, host]) =>
  Object.entries(FORMS).map(([form, provide]) => [name, form, host, provide] as const),
);

let app: TestingModule;
afterEach(() => app.close());

describe.each(cases)('when %s is registered as %s', (name, _form, host, provide) => {
  async function start() {
    const model = scripted([
      [
        { tool: 'refund', arguments: hostileText },
        { tool: 'refund', arguments: hostile },
      ],
      'done',
    ]);
    const provider = provide(host);
    const guards = name === 'GloballyGuarded' ? globalGuards : [];
    app = await createApp({ providers: [provider, ...guards] }, { model });
    const token = provider === host ? host : (provider as { provide: string }).provide;
    return app.get<{ ledger: Ledger }>(token, { strict: false }).ledger;
  }

  it("runs as the admin of an admin's request", async () => {
    const ledger = await start();
    const result = await app.get(AgentService).run('Refund!', { request: admin });
    expect(ledger.runs).toEqual(['Ada', 'Ada']);
    expect(result.steps[0].toolResults.map(({ content }) => content)).toEqual([
      'refunded by Ada',
      'refunded by Ada',
    ]);
  });

  it.each([
    ["a customer's request", { request: customer }],
    ['a request without credentials', { request: anonymous }],
    ['no request', {}],
  ])('does not run with %s', async (_request, options) => {
    const ledger = await start();
    const { steps } = await app.get(AgentService).run('Refund!', options);
    for (const { status, content } of steps[0].toolResults) {
      expect(status).not.toBe('success');
      expect(content).not.toContain('admin');
    }
    await callTool(app, 'refund', hostileText, options);
    await callTool(app, 'refund', hostile, options);
    expect(ledger.runs).toEqual([]);
  });
});
