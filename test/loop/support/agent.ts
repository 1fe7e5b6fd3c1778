import { afterEach } from '@jest/globals';
import type { Type } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { AgentService, type AgentToolsModuleOptions } from 'nestjs-agent-tools';
import { createApp } from '../../support/app.js';

const apps: TestingModule[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

/** The default agent of an application with these tools; the application is closed after the test. */
export async function startAgent(
  providers: Type[],
  options: AgentToolsModuleOptions = {},
): Promise<{ agent: AgentService; app: TestingModule }> {
  const app = await createApp({ providers }, options);
  apps.push(app);
  return { agent: app.get(AgentService), app };
}
