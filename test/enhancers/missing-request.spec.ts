import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  createParamDecorator,
  Logger,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { Tool } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { createApp } from '../support/app.js';

interface HttpRequest {
  readonly user: { readonly name: string };
}

class Tolerant implements CanActivate {
  canActivate(context: ExecutionContext) {
    return context.switchToHttp().getRequest<HttpRequest | undefined>()?.user === undefined;
  }
}

const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<HttpRequest>().user,
);

class Orders {
  @Tool('Counts.')
  @UseGuards(Tolerant)
  count() {
    throw new Error('The database is down.');
  }

  @Tool('Lists.')
  list(@CurrentUser() user: HttpRequest['user']) {
    return user.name;
  }
}

let app: TestingModule;
const log = { log: jest.fn(), warn: jest.fn(), error: jest.fn(), debug: jest.fn() };

beforeEach(async () => {
  app = await createApp({ providers: [Orders] });
  Logger.overrideLogger(log);
});

afterEach(async () => {
  Logger.overrideLogger(false);
  jest.clearAllMocks();
  await app.close();
});

const logged = () => log.error.mock.calls.map(([message]) => String(message)).join('\n');

describe('in a call without a request', () => {
  it('an error of the tool is not put down to the request that a guard could do without', async () => {
    expect((await callTool(app, 'count', {})).status).toBe('error');
    expect(logged()).toContain('The database is down.');
    expect(logged()).not.toContain('no request');
  });

  it('a parameter decorator that needs one is told so', async () => {
    expect((await callTool(app, 'list', {})).status).toBe('error');
    expect(logged()).toContain('This call has no request');
  });
});
