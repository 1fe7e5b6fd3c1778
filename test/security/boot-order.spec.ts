import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Scope, type CanActivate, type Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { Tool, tool, ToolExecutor, ToolRegistry, type ToolMiddleware } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { createApp, moduleOf } from '../support/app.js';

@Injectable()
class Deny implements CanActivate {
  canActivate() {
    return false;
  }
}

type Look = (registry: ToolRegistry, executor: ToolExecutor) => unknown;

const added = tool(
  { name: 'added', description: 'Anything.', inputSchema: z.object({}) },
  () => 'added',
);

const LOOKS: readonly [string, Look][] = [
  ['nobody used the tools', () => undefined],
  ['a tool was registered', (registry) => registry.register(added)],
  ['the tools were explained', (registry) => registry.explain()],
  ['a tool was called', (_registry, executor) => executor.execute('pay', {})],
];

/** A factory that takes its time, as one that reads tools from a database. */
function whileStarting(look: Look) {
  return moduleOf({
    providers: [
      {
        provide: 'EARLY',
        inject: [ToolRegistry, ToolExecutor],
        useFactory: async (registry: ToolRegistry, executor: ToolExecutor) => {
          await sleep(5);
          await look(registry, executor);
          await sleep(5);
          return 'ready';
        },
      },
    ],
  });
}

let app: TestingModule | undefined;
let runs = 0;

function payTools(): Type {
  @Injectable()
  class Tools {
    @Tool('Pay.')
    pay() {
      runs++;
      return 'paid';
    }
  }
  return Tools;
}

afterEach(async () => {
  await app?.close();
  app = undefined;
  runs = 0;
});

/** Or undefined, if the application refuses to start: the factory used the tools too early. */
async function start(...args: Parameters<typeof createApp>): Promise<TestingModule | undefined> {
  try {
    return await createApp(...args);
  } catch (error) {
    if (!String(error).includes('Use tools from onModuleInit() on')) throw error;
    return undefined;
  }
}

describe('when a factory uses the tools while the application is being made', () => {
  it.each(LOOKS)('a request-scoped APP_GUARD runs afterwards, if %s', async (_what, look) => {
    app = await start({
      imports: [whileStarting(look)],
      providers: [payTools(), { provide: APP_GUARD, scope: Scope.REQUEST, useClass: Deny }],
    });
    runs = 0;
    if (!app) return;
    const { status } = await callTool(app, 'pay', {});
    expect({ status, runs }).toEqual({ status: 'denied', runs: 0 });
  });

  it.each(LOOKS)('middleware is constructed, if %s', async (_what, look) => {
    @Injectable()
    class Masking implements ToolMiddleware {
      private readonly mask: string;

      constructor(@Inject('MASK') mask: string) {
        this.mask = mask;
      }

      output() {
        return this.mask;
      }
    }
    const masking = moduleOf({
      providers: [
        Masking,
        {
          provide: 'MASK',
          useFactory: async () => {
            await sleep(30);
            return '***';
          },
        },
      ],
    });
    const tools = moduleOf({ providers: [payTools()] });
    app = await start(
      { imports: [whileStarting(look), masking, tools] },
      { toolMiddleware: [Masking] },
    );
    if (!app) return;
    expect((await callTool(app, 'pay', {})).content).toBe('***');
  });

  it.each([
    ['static', { provide: APP_GUARD, useClass: Deny }],
    ['request-scoped', { provide: APP_GUARD, scope: Scope.REQUEST, useClass: Deny }],
  ])('its own call is not let through past a %s APP_GUARD', async (_scope, guard) => {
    const tools = moduleOf({ providers: [payTools()] });
    const look: Look = (_registry, executor) =>
      executor.execute('pay', {}).catch(() => 'refused: the application has not started');
    app = await start({ imports: [tools, whileStarting(look)], providers: [guard] });
    expect(runs).toBe(0);
  });
});
