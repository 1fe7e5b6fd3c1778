import type { ToolConcurrency } from '../../tools/interfaces/tool-policy.interface.js';
import type { ToolDefaults } from './tool-defaults.interface.js';

/** What the options of the module say about the calls of all tools. */
export interface PolicyOptions {
  readonly toolDefaults?: ToolDefaults;
  readonly toolConcurrency?: ToolConcurrency;
}
