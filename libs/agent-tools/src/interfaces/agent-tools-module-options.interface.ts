import type { FactoryProvider, ModuleMetadata, Type } from '@nestjs/common';
import type { AgentLimits } from '../agent/interfaces/agent-limits.interface.js';
import type { ToolDefaults } from '../execution/interfaces/tool-defaults.interface.js';
import type { ChatModel } from '../models/interfaces/chat-model.interface.js';

/**
 * Options of `AgentToolsModule.forRoot()`.
 *
 * @publicApi
 */
export interface AgentToolsModuleOptions {
  /**
   * The model of every agent that does not name another: `openai({ model })`, `offline()` …
   * Without one the tools still work through `ToolExecutor`.
   */
  readonly model?: ChatModel;

  /** What every model is told first, for agents without instructions of their own. @default none */
  readonly instructions?: string;

  /** @default { steps: 10, toolCalls: 50, timeout: 120000 } */
  readonly limits?: AgentLimits;

  /** @default { timeout: 30000, errors: 'id' } */
  readonly toolDefaults?: ToolDefaults;
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
