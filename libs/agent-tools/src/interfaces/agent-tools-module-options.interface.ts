import type { FactoryProvider, ModuleMetadata, Type } from '@nestjs/common';
import type { AgentOptions } from '../agent/interfaces/agent-options.interface.js';
import type { AgentTool } from '../tools/interfaces/agent-tool.interface.js';
import type { AgentDefaults } from '../agent/interfaces/agent-defaults.interface.js';
import type { GlobalEnhancersChoice } from '../execution/interfaces/global-enhancers-choice.interface.js';
import type { TelemetryOptions } from '../telemetry/interfaces/telemetry-options.interface.js';
import type { ToolMiddleware } from '../tools/interfaces/tool-middleware.interface.js';
import type { ToolConcurrency } from '../tools/interfaces/tool-policy.interface.js';
import type { ToolDefaults } from '../execution/interfaces/tool-defaults.interface.js';

/**
 * Options of `AgentToolsModule.forRoot()`.
 *
 * @publicApi
 */
export interface AgentToolsModuleOptions extends AgentDefaults {
  /** For tools that do not say otherwise. @default {} */
  readonly toolDefaults?: ToolDefaults;

  /** How many tool calls run at the same time, of all tools together. @default unlimited */
  readonly toolConcurrency?: ToolConcurrency;

  /**
   * Stands around every tool call, the first outermost: providers of the application, or classes that
   * can be created without one.
   * @default []
   */
  readonly toolMiddleware?: readonly Type<ToolMiddleware>[];

  /**
   * OpenTelemetry spans, which are made when `@opentelemetry/api` is installed and a tracer provider is
   * registered; `false` makes none.
   * @default {}
   */
  readonly telemetry?: false | TelemetryOptions;

  /** Which of the application's global guards, interceptors, pipes and filters run for tools. @default 'all' */
  readonly globalEnhancers?: GlobalEnhancersChoice;
}

/**
 * Options of `AgentToolsModule.forFeature()`.
 *
 * @publicApi
 */
export interface AgentToolsFeatureOptions {
  /** @default [] */
  readonly agents?: readonly AgentOptions[];
  /**
   * Tool objects, as `tool()` makes them, and classes of singletons that implement `AgentTool` and that
   * a module of the application provides.
   * @default []
   */
  readonly tools?: readonly (AgentTool | Type<AgentTool>)[];
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
  /**
   * The names of the `models` that are injected with `@InjectChatModel(name)`. (Agents and runs find
   * every model of the options by its name.)
   * @default []
   */
  readonly modelNames?: readonly string[];
}
