import { afterEach } from '@jest/globals';
import type { ModuleMetadata, Provider } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import {
  AgentEvents,
  AgentService,
  type AgentToolsModuleOptions,
  type RuntimeEvent,
} from 'nestjs-agent-tools';
import { createApp } from '../../support/app.js';

const apps: TestingModule[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

/** An application that is closed after the test, not observed. */
export async function start(
  providers: Provider[],
  options: AgentToolsModuleOptions = {},
  imports: NonNullable<ModuleMetadata['imports']> = [],
) {
  const app = await createApp({ providers, imports }, options);
  apps.push(app);
  return { app, agent: app.get(AgentService), source: app.get(AgentEvents) };
}

/** The same, and all its events. */
export async function record(
  providers: Provider[],
  options: AgentToolsModuleOptions = {},
  imports: NonNullable<ModuleMetadata['imports']> = [],
) {
  const started = await start(providers, options, imports);
  const events: RuntimeEvent[] = [];
  started.source.subscribe((event) => events.push(event));
  return { ...started, events };
}

export function typesOf(events: readonly RuntimeEvent[]): string[] {
  return events.map(({ type }) => type);
}

type EventOf<Type extends RuntimeEvent['type']> = Extract<RuntimeEvent, { type: Type }>;

export function only<Type extends RuntimeEvent['type']>(
  events: readonly RuntimeEvent[],
  type: Type,
): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}
