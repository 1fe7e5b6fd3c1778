import type {
  ToolOutputSchema,
  ToolSchema,
} from '../../schemas/interfaces/tool-schema.interface.js';
import type { ToolEffect } from './tool-options.interface.js';
import type { ToolConcurrency, ToolPolicy } from './tool-policy.interface.js';

/**
 * Where a tool comes from.
 *
 * @publicApi
 */
export interface ToolHost {
  /** Name of the class, for logs and errors. */
  readonly className: string;
  readonly methodName: string;
  readonly moduleName: string;
}

/**
 * A tool as the registry lists it.
 *
 * @publicApi
 */
export interface ToolDefinition {
  readonly name: string;
  /**
   * The name under which models know the tool: `name`, or a legal form of it where providers would
   * refuse the whole request.
   */
  readonly chatName: string;
  /** Empty if none was given. */
  readonly description: string;
  readonly inputSchema: ToolSchema;
  /** What the tool returns; undefined if nothing was said about it. */
  readonly outputSchema?: ToolOutputSchema;
  readonly effect?: ToolEffect;
  readonly idempotent: boolean;
  /** What the tool itself says about how it is called. */
  readonly policy: ToolPolicy;
  readonly concurrency?: ToolConcurrency;
  readonly strict?: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly host: ToolHost;
}
