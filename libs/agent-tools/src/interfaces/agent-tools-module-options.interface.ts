import type { FactoryProvider, ModuleMetadata, Type } from '@nestjs/common';
import type { AgentDefaults } from '../agent/interfaces/agent-defaults.interface.js';
import type { GlobalEnhancersChoice } from '../execution/interfaces/global-enhancers-choice.interface.js';
import type { ToolDefaults } from '../execution/interfaces/tool-defaults.interface.js';

/**
 * Options of `AgentToolsModule.forRoot()`.
 *
 * @publicApi
 */
export interface AgentToolsModuleOptions extends AgentDefaults {
  /** @default { timeout: 30000, errors: 'id' } */
  readonly toolDefaults?: ToolDefaults;

  /** Which of the application's global guards, interceptors, pipes and filters run for tools. @default 'all' */
  readonly globalEnhancers?: GlobalEnhancersChoice;
}

/**
 * A class that makes the options of the module, for `useClass` and `useExisting`.
 *
 * @publicApi
 */
export interface AgentToolsModuleOptionsFactory {
  createAgentToolsOptions(): AgentToolsModuleOptions | Promise<AgentToolsModuleOptions>;
}

/**
 * Options of `AgentToolsModule.forRootAsync()`.
 *
 * @publicApi
 */
export interface AgentToolsModuleAsyncOptions extends Pick<ModuleMetadata, 'imports'> {
  readonly useExisting?: Type<AgentToolsModuleOptionsFactory>;
  readonly useClass?: Type<AgentToolsModuleOptionsFactory>;
  readonly useFactory?: (
    ...args: never[]
  ) => AgentToolsModuleOptions | Promise<AgentToolsModuleOptions>;
  readonly inject?: FactoryProvider['inject'];
}
