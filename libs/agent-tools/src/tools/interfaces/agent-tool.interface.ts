import type {
  InferSchemaOutput,
  SchemaSource,
} from '../../schemas/interfaces/schema-source.interface.js';
import type { ToolCall } from '../tool-call.js';
import type { ToolOptions } from './tool-options.interface.js';

/**
 * A tool that is an object: for `AgentToolsModule.forFeature({ tools })`, and made at run time for
 * `ToolRegistry#register()`. Global enhancers run for it as for every other tool, and so do those on its
 * class and on its `execute` method.
 *
 * @publicApi
 */
export interface AgentTool<
  Source extends SchemaSource | undefined = SchemaSource | undefined,
> extends ToolOptions<Source> {
  readonly name: string;
  /** Gets what the `inputSchema` yields, or undefined without one. */
  execute(input: InferSchemaOutput<Source>, call: ToolCall): unknown;
}
