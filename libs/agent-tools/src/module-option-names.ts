import type { AgentToolsModuleOptions } from './interfaces/agent-tools-module-options.interface.js';

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
