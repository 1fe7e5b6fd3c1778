import type {
  SharedToolPolicy,
  ToolConcurrency,
} from '../../tools/interfaces/tool-policy.interface.js';

/**
 * Options of every tool that does not set its own.
 *
 * @publicApi
 */
export interface ToolDefaults extends SharedToolPolicy {
  /** Of each tool. @default unlimited */
  readonly concurrency?: ToolConcurrency;
}
