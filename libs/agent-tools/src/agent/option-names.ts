import type { AgentToolsModuleOptions } from '../interfaces/agent-tools-module-options.interface.js';
import type { AgentOptions, AgentRunOptions } from './interfaces/agent-options.interface.js';

/** A factory of options is not checked by the compiler for names that there are not. */
export const MODULE_OPTIONS: readonly string[] = [
  'model',
  'models',
  'modelSettings',
  'instructions',
  'limits',
  'toolDefaults',
  'toolConcurrency',
  'toolMiddleware',
  'telemetry',
  'globalEnhancers',
] satisfies (keyof AgentToolsModuleOptions)[];

export const AGENT_OPTIONS: readonly string[] = [
  'name',
  'model',
  'modelSettings',
  'instructions',
  'tools',
  'limits',
  'toolDefaults',
] satisfies (keyof AgentOptions)[];

export const RUN_OPTIONS: readonly string[] = [
  'model',
  'modelSettings',
  'instructions',
  'tools',
  'limits',
  'request',
  'context',
  'signal',
  'toolChoice',
  'toolOverrides',
] satisfies (keyof AgentRunOptions)[];
