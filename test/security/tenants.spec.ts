import { afterEach, describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Scope, UseGuards, type CanActivate } from '@nestjs/common';
import {
  APP_GUARD,
  ContextIdFactory,
  REQUEST,
  type ContextId,
  type ContextIdStrategy,
  type HostComponentInfo,
} from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { Tool } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { createApp } from '../support/app.js';

let app: TestingModule | undefined;
afterEach(async () => {
  ContextIdFactory.apply(undefined as never);
  await app?.close();
  app = undefined;
});

interface Req {
  tenant: string;
  user: string;
}
const tenants = new Map<string, ContextId>();
class ByTenant implements ContextIdStrategy {
  attach(contextId: ContextId, request: Req) {
    const { tenant } = request;
    const tree = tenants.get(tenant) ?? ContextIdFactory.create();
    tenants.set(tenant, tree);
    return {
      resolve: (info: HostComponentInfo) => (info.isTreeDurable ? tree : contextId),
      payload: { tenant },
    };
  }
}

let runs = 0;
let seen: string[] = [];
@Injectable({ scope: Scope.REQUEST, durable: true })
class DurableGuard implements CanActivate {
  constructor(@Inject(REQUEST) readonly request: Req) {}
  canActivate() {
    seen.push(`${this.request.tenant}/${this.request.user}`);
    return true;
  }
}

const forms: [string, (t: new () => object) => object, Scope | undefined, boolean][] = [
  ['static factory host', (t) => ({ provide: 'H', useFactory: () => new t() }), undefined, false],
  ['static class host', (t) => t, undefined, false],
  ['durable class host', (t) => t, Scope.REQUEST, true],
  ['request class host', (t) => t, Scope.REQUEST, false],
];
describe('durable guards', () => {
  for (const [name, provide, scope, durable] of forms) {
    for (const global of [false, true]) {
      it(`${name} ${global ? 'APP_GUARD' : 'UseGuards'}`, async () => {
        tenants.clear();
        runs = 0;
        seen = [];
        ContextIdFactory.apply(new ByTenant());
        @Injectable({ ...(scope !== undefined && { scope }), durable })
        class Tools {
          @Tool('Pay.')
          @(global ? () => undefined : UseGuards(DurableGuard))
          pay() {
            runs++;
          }
        }
        app = await createApp({
          providers: [
            provide(Tools) as never,
            ...(global
              ? [
                  {
                    provide: APP_GUARD,
                    useClass: DurableGuard,
                    scope: Scope.REQUEST,
                    durable: true,
                  },
                ]
              : []),
          ] as never,
        });
        for (const [tenant, user] of [
          ['a', 'ann'],
          ['a', 'al'],
          ['b', 'bob'],
          ['a', 'amy'],
        ] as const) {
          await callTool(app, 'pay', {}, { request: { tenant, user } });
        }
        expect(runs).toBe(4);
      });
    }
  }
});

describe('strategies that misbehave', () => {
  const strategies: [string, () => unknown][] = [
    [
      'throws',
      () => {
        throw new Error('no tenant');
      },
    ],
    ['gives undefined', () => undefined],
    ['gives null', () => null],
    ['gives a number', () => 7],
    ['gives {}', () => ({})],
    ['resolves to undefined', () => () => undefined],
    ['resolves to null with payload', () => ({ resolve: () => null, payload: { tenant: 'x' } })],
    ['payload primitive', () => ({ resolve: () => ({ id: 1 }), payload: 'abc' })],
    ['resolves to always new', () => () => ({ id: Math.random() })],
    ['one and the same for all', () => () => SAME],
  ];
  const SAME = { id: 5 };
  @Injectable({ scope: Scope.REQUEST })
  class UserGuard implements CanActivate {
    constructor(@Inject(REQUEST) readonly request: Req) {}
    canActivate() {
      seen.push(this.request?.user);
      return this.request?.user === 'admin';
    }
  }
  for (const form of ['factory', 'class'] as const) {
    it.each(strategies)(
      `${form}: %s`,
      async (_name, attach) => {
        runs = 0;
        seen = [];
        ContextIdFactory.apply({ attach } as never);
        @Injectable()
        class Tools {
          @Tool('Pay.')
          @UseGuards(UserGuard)
          pay() {
            runs++;
          }
        }
        app = await createApp({
          providers: [
            form === 'factory' ? { provide: 'H', useFactory: () => new Tools() } : Tools,
          ] as never,
        });
        const statuses = [];
        for (const user of ['admin', 'sam', 'admin', 'sam']) {
          statuses.push(
            (await callTool(app, 'pay', {}, { request: { tenant: 'a', user } })).status,
          );
        }
        expect(statuses[3]).not.toBe('success');
      },
      10_000,
    );
  }
});

describe('odd requests', () => {
  @Injectable({ scope: Scope.REQUEST })
  class UserGuard implements CanActivate {
    constructor(@Inject(REQUEST) readonly request: Req) {}
    canActivate() {
      seen.push(
        typeof this.request === 'function'
          ? 'fn'
          : String((this.request as Req | undefined)?.user ?? this.request),
      );
      return (this.request as Req | undefined)?.user === 'admin';
    }
  }
  for (const form of ['factory', 'class'] as const) {
    it.each<[string, (user: string) => unknown]>([
      ['frozen', (user) => Object.freeze({ user })],
      [
        'proxy that has everything',
        (user) => new Proxy({ user }, { get: (t, k) => (k === 'user' ? user : t) }),
      ],
      [
        'proxy that gives one id',
        (user) => new Proxy({ user }, { get: (_t, k) => (k === 'user' ? user : ONE) }),
      ],
      ['function', (user) => Object.assign(() => 0, { user })],
      ['string', (user) => user],
      ['number', () => 7],
      ['same raw', (user) => ({ user, raw: RAW })],
    ])(`${form}: %s`, async (_name, make) => {
      runs = 0;
      seen = [];
      @Injectable()
      class Tools {
        @Tool('Pay.')
        @UseGuards(UserGuard)
        pay() {
          runs++;
        }
      }
      app = await createApp({
        providers: [
          form === 'factory' ? { provide: 'H', useFactory: () => new Tools() } : Tools,
        ] as never,
      });
      const statuses = [];
      for (const user of ['admin', 'sam', 'admin', 'sam']) {
        const request = make(user);
        const both = await Promise.all([
          callTool(app, 'pay', {}, { request }),
          callTool(app, 'pay', {}, { request }),
        ]);
        statuses.push(both.map(({ status }) => status));
      }
      expect(statuses[3]).not.toContain('success');
    });
  }
  const ONE = { id: 1 };
  const RAW = {};
});
