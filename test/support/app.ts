import { Logger, type DynamicModule, type ModuleMetadata, type Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { AgentToolsModule, type AgentToolsModuleOptions } from 'nestjs-agent-tools';

/** An application with AgentToolsModule and the given providers, not yet initialised. */
export async function compileApp(
  metadata: ModuleMetadata,
  options: AgentToolsModuleOptions = {},
): Promise<TestingModule> {
  const app = await Test.createTestingModule({
    ...metadata,
    imports: [AgentToolsModule.forRoot(options), ...(metadata.imports ?? [])],
  }).compile();
  // compile() installs a logger that prints errors, and many of these tests provoke some.
  Logger.overrideLogger(false);
  return app;
}

/** The same, initialised. */
export async function createApp(
  metadata: ModuleMetadata,
  options?: AgentToolsModuleOptions,
): Promise<TestingModule> {
  const app = await compileApp(metadata, options);
  await app.init();
  return app;
}

/** The message of the error with which the application refuses to start. */
export async function bootError(metadata: ModuleMetadata): Promise<string> {
  const app = await compileApp(metadata);
  try {
    await app.init();
  } catch (error) {
    return (error as Error).message;
  }
  await app.close();
  throw new Error('The application started.');
}

/** A module with a class of its own, so that it shares nothing with others. */
export function moduleOf(metadata: ModuleMetadata): DynamicModule {
  class FixtureModule {}
  return { module: FixtureModule as Type, ...metadata };
}
