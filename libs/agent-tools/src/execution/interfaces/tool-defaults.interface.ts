import type { ToolErrorDisclosure } from '../../tools/interfaces/tool-options.interface.js';

/**
 * Options of every tool that does not set its own.
 *
 * @publicApi
 */
export interface ToolDefaults {
  /** Milliseconds until a call is given up. @default 30000 */
  readonly timeout?: number;
  /** What the model is told about an unexpected error. @default 'id' */
  readonly errors?: ToolErrorDisclosure;
}
