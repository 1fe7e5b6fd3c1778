import type { AgentOptions, AgentRunOptions } from './interfaces/agent-options.interface.js';

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
