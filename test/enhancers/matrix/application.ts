import type { DynamicModule } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { ClsModule } from 'nestjs-cls';
import { compileApp, moduleOf } from '../../support/app.js';
import type { Fixture, HostForm } from './forms.js';
import { globalModule, useGlobalInstances } from './globals.js';
import type { HostParts } from './hosts.js';

export interface Part {
  readonly form: HostForm;
  readonly fixture: Fixture;
  readonly parts: readonly HostParts[];
}

/** The enhancers of the application, if there are any. */
export interface GlobalParts {
  readonly parts: HostParts;
  readonly isFactory?: boolean;
}

export interface RunningApp {
  readonly app: TestingModule;
  close(): Promise<void>;
}

/** Boots one application with the modules of all the given cases. */
export async function startApplication(
  cases: readonly Part[],
  globals?: GlobalParts,
): Promise<RunningApp> {
  const eager = cases.filter(({ form }) => !form.isLazy);
  const lazy = cases.filter(({ form }) => form.isLazy);
  const app = await compileApp({
    imports: [
      ClsModule.forRoot(),
      decoyModule(cases.flatMap(({ parts }) => parts)),
      ...(globals ? [globalModule(globals.parts, globals.isFactory)] : []),
      ...eager.flatMap(({ fixture }) => fixture.modules),
    ],
  });
  const nest = app.createNestApplication();
  try {
    if (globals) useGlobalInstances(nest, globals.parts);
    await nest.init();
    for (const { fixture } of lazy) {
      for (const module of fixture.modules) await app.get(LazyModuleLoader).load(() => module);
    }
  } catch (error) {
    await nest.close();
    throw error;
  }
  return { app, close: () => nest.close() };
}

/** An enhancer that is resolved in another module than its host's gets a wrong dependency here. */
function decoyModule(all: readonly HostParts[]): DynamicModule {
  const tokens = new Set(
    all.flatMap(({ tokens: { dependency, scopedDependency } }) => [dependency, scopedDependency]),
  );
  return {
    ...moduleOf({
      providers: [...tokens].map((provide) => ({ provide, useValue: { origin: 'decoy' } })),
      exports: [...tokens],
    }),
    global: true,
  };
}
