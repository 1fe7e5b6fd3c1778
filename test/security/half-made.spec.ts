import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  forwardRef,
  Inject,
  Injectable,
  Scope,
  UseGuards,
  type CanActivate,
  type Provider,
  type Type,
} from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { Tool } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { createApp } from '../support/app.js';

let app: TestingModule;
afterEach(() => app.close());

let runs = 0;

@Injectable({ scope: Scope.REQUEST })
class Policies {
  constructor(@Inject('DENIED') readonly denied: readonly string[]) {}
}

@Injectable({ scope: Scope.REQUEST })
class Policy {
  constructor(@Inject(forwardRef(() => Policies)) readonly policies: Policies) {}

  isDenied(user: string) {
    return this.policies?.denied?.includes(user) ?? false;
  }
}

const PROVIDERS: readonly Provider[] = [
  Policies,
  Policy,
  {
    provide: 'DENIED',
    scope: Scope.REQUEST,
    useFactory: async () => {
      await sleep(20);
      return ['sam'];
    },
  },
];

function guardOf(scope: Scope): Type<CanActivate> {
  @Injectable({ scope })
  class PolicyGuard implements CanActivate {
    constructor(readonly policy: Policy) {}

    canActivate() {
      return !this.policy.isDenied('sam');
    }
  }
  return PolicyGuard;
}

describe('when calls of one request come while its guard is being made', () => {
  it.each([
    ['request-scoped guard', Scope.REQUEST],
    ['transient guard', Scope.TRANSIENT],
  ])('none is let through by a %s that is half made', async (_what, scope) => {
    const guard = guardOf(scope);
    @Injectable()
    class Payments {
      @Tool('Pay.')
      @UseGuards(guard)
      pay() {
        runs++;
      }
    }
    @Injectable()
    class Refunds {
      @Tool('Refund.')
      @UseGuards(guard)
      refund() {
        runs++;
      }
    }
    runs = 0;
    app = await createApp({ providers: [...PROVIDERS, Payments, Refunds] });
    const request = {};
    const calls = [];
    for (let index = 0; index < 30; index++) {
      calls.push(callTool(app, index % 2 ? 'pay' : 'refund', {}, { request }));
      for (let tick = 0; tick < index; tick++) await Promise.resolve();
    }
    const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
    expect({ statuses, runs }).toEqual({ statuses: new Set(['denied']), runs: 0 });
  });
});
