import { afterEach } from '@jest/globals';
import type { Provider, Type } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import type { AgentToolsModuleOptions, ToolMiddleware } from 'nestjs-agent-tools';
import { createApp } from '../../support/app.js';

const apps: TestingModule[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

/** An application with these tools and this middleware; it is closed after the test. */
export async function startWith(
  toolMiddleware: readonly Type<ToolMiddleware>[],
  providers: Provider[],
  options: AgentToolsModuleOptions = {},
): Promise<TestingModule> {
  const app = await createApp({ providers }, { ...options, toolMiddleware });
  apps.push(app);
  return app;
}

/** A class of its own, as the module takes classes. */
export function middleware(methods: ToolMiddleware): Type<ToolMiddleware> {
  class Middleware {
    constructor() {
      Object.assign(this, methods);
    }
  }
  return Middleware;
}
