import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Inject,
  Injectable,
  Post,
  Req,
  Scope,
  UseGuards,
  type CanActivate,
  type INestApplication,
} from '@nestjs/common';
import { APP_GUARD, REQUEST } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { AgentService, AgentToolsModule, Tool, ToolParam } from 'nestjs-agent-tools';
import { callTool, scripted } from 'nestjs-agent-tools/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import request from 'supertest';
import { createApp, moduleOf } from '../support/app.js';

let app: TestingModule | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

describe('instances that are made for several calls at once', () => {
  for (const form of ['class', 'factory', 'request', 'global', 'transient'] as const) {
    for (const fails of [false, true]) {
      it(`${form}, first creation ${fails ? 'fails' : 'works'}`, async () => {
        let runs = 0;
        const seen: unknown[] = [];
        let slow = 0;
        const SLOW = {
          provide: 'SLOW',
          scope: Scope.REQUEST,
          useFactory: async () => {
            await sleep(20);
            if (fails && slow++ === 0) throw new Error('slow fails');
            return { ok: true };
          },
        };
        @Injectable({ scope: Scope.REQUEST })
        class Inner {
          constructor(@Inject('SLOW') readonly slow: { ok: boolean }) {}
        }
        @Injectable(form === 'transient' ? { scope: Scope.TRANSIENT } : {})
        class G implements CanActivate {
          readonly ready: boolean;
          constructor(@Inject(Inner) readonly inner: Inner) {
            this.ready = inner.slow.ok;
          }
          canActivate() {
            seen.push(this.ready);
            return this.ready === true;
          }
        }
        const guard: MethodDecorator & ClassDecorator =
          form === 'global' ? () => undefined : UseGuards(G);
        @Injectable(form === 'request' ? { scope: Scope.REQUEST } : {})
        class One {
          @Tool('x')
          @guard
          one() {
            runs++;
            return 1;
          }
        }
        @Injectable()
        class Two {
          @Tool('x')
          @guard
          two() {
            runs++;
            return 2;
          }
        }
        const wrap = (t: new () => object) =>
          form === 'factory' ? { provide: t.name, useFactory: () => new t() } : t;
        app = await createApp({
          providers: [
            SLOW,
            Inner,
            wrap(One),
            wrap(Two),
            ...(form === 'global'
              ? [{ provide: APP_GUARD, scope: Scope.REQUEST, useClass: G }]
              : []),
          ] as never,
        });
        const result = await app.get(AgentService).run('x', {
          model: scripted([
            [{ tool: 'one' }, { tool: 'two' }, { tool: 'one' }],
            [{ tool: 'one' }, { tool: 'two' }],
            'Done.',
          ] as never),
        });
        const statuses = result.steps.map((s) => s.toolResults.map((r) => r.status).join());
        expect(seen.every((one) => one === true)).toBe(true);
        expect(runs).toBe(seen.length);
        expect(statuses[1]).toBe('success,success');
      });
    }
  }
});

describe('the same guard class in two modules and one context', () => {
  it.each(['class', 'factory', 'useValue'])('%s', async (form) => {
    const seen: unknown[] = [];
    @Injectable({ scope: Scope.REQUEST })
    class G implements CanActivate {
      constructor(@Inject('POLICY') readonly policy: string) {}
      canActivate() {
        seen.push(this.policy);
        return this.policy === 'open';
      }
    }
    const host = (name: string) => {
      class Host {
        pay() {
          return name;
        }
      }
      const d = Object.getOwnPropertyDescriptor(Host.prototype, 'pay') as PropertyDescriptor;
      UseGuards(G)(Host.prototype, 'pay', d);
      Tool({ name, description: 'x' })(Host.prototype as never, 'pay', d as never);
      Injectable()(Host);
      return form === 'class'
        ? Host
        : form === 'factory'
          ? { provide: name, useFactory: () => new Host() }
          : { provide: name, useValue: new Host() };
    };
    app = await createApp({
      imports: [
        moduleOf({ providers: [{ provide: 'POLICY', useValue: 'open' }, host('open')] as never }),
        moduleOf({
          providers: [{ provide: 'POLICY', useValue: 'closed' }, host('closed')] as never,
        }),
      ],
    });
    const started = app;
    const req = {};
    const statuses = await Promise.all(
      ['open', 'closed', 'open', 'closed'].map(
        async (n) => (await callTool(started, n, {}, { request: req })).status,
      ),
    );
    expect(statuses).toEqual(['success', 'denied', 'success', 'denied']);
  });
});

describe('in an HTTP application', () => {
  it.each([Scope.DEFAULT, Scope.REQUEST])(
    'guards see their own request, controller scope %s',
    async (scope) => {
      const seen: string[] = [];
      @Injectable({ scope: Scope.REQUEST })
      class G implements CanActivate {
        constructor(@Inject(REQUEST) readonly req: { headers: Record<string, string> }) {}
        async canActivate() {
          await sleep(Math.random() * 5);
          seen.push(this.req.headers['x-user']);
          return this.req.headers['x-user'] === 'admin';
        }
      }
      class Host {
        @Tool('x')
        @UseGuards(G)
        pay(@ToolParam('who') who: string) {
          return who;
        }
      }
      @Controller({ path: 'chat', scope })
      class Chat {
        constructor(@Inject(AgentService) private readonly agent: AgentService) {}
        @Post()
        async chat(@Req() req: { headers: Record<string, string> }) {
          const who = req.headers['x-user'];
          const r = await this.agent.run('x', {
            request: req,
            model: scripted([
              [
                { tool: 'pay', arguments: { who } },
                { tool: 'pay', arguments: { who } },
              ],
              'Done.',
            ] as never),
          });
          return { who, statuses: r.steps[0].toolResults.map((one) => one.status) };
        }
      }
      const module = await Test.createTestingModule({
        imports: [AgentToolsModule.forRoot()],
        controllers: [Chat],
        providers: [{ provide: 'H', useFactory: () => new Host() }],
      }).compile();
      const http: INestApplication = module.createNestApplication();
      await http.init();
      await http.listen(0);
      try {
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, i) =>
            request(http.getHttpServer())
              .post('/chat')
              .set('x-user', i % 2 ? 'admin' : `u${i}`),
          ),
        );
        for (const { body } of answers)
          expect((body as { statuses: string[] }).statuses[0]).toBe(
            (body as { who: string }).who === 'admin' ? 'success' : 'denied',
          );
      } finally {
        await http.close();
      }
    },
  );
});
