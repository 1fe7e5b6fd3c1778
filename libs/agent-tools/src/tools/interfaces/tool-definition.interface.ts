import type {
  ToolOutputSchema,
  ToolSchema,
} from '../../schemas/interfaces/tool-schema.interface.js';
import type { ToolEffect, ToolErrorDisclosure } from './tool-options.interface.js';

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
  readonly parallel: boolean;
  /** Milliseconds; the module's default if undefined. */
  readonly timeout?: number;
  /** The module's default if undefined. */
  readonly errors?: ToolErrorDisclosure;
  readonly strict?: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly host: ToolHost;
}
