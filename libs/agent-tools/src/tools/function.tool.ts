import type {
  InferSchemaInput,
  InferSchemaOutput,
  SchemaSource,
} from '../schemas/interfaces/schema-source.interface.js';
import type { AgentTool } from './interfaces/agent-tool.interface.js';
import type { ToolOptions } from './interfaces/tool-options.interface.js';
import type { ToolCall } from './tool-call.js';

/** A tool that is a function. The class shows in logs and as `getClass()` of its guards. */
class FunctionTool {
  constructor(
    options: ToolOptions & { readonly name: string },
    readonly execute: (input: never, call: ToolCall) => unknown,
  ) {
    Object.assign(this, options);
  }
}

/**
 * Makes a tool of a function, for `AgentToolsModule.forFeature({ tools })` and
 * `ToolRegistry#register()`. Global enhancers run for it as for every other tool.
 *
 * ```ts
 * const add = tool(
 *   { name: 'add', description: 'Add two numbers.', inputSchema: z.object({ a: z.number(), b: z.number() }) },
 *   ({ a, b }) => a + b,
 * );
 * ```
 *
 * @publicApi
 */
export function tool<
  const Source extends SchemaSource | undefined = undefined,
  const OutputSource extends SchemaSource | undefined = undefined,
>(
  options: ToolOptions<Source, OutputSource> & { readonly name: string },
  execute: (
    input: InferSchemaOutput<Source>,
    call: ToolCall,
  ) => FunctionToolResult<InferSchemaInput<OutputSource>>,
): AgentTool<Source> {
  return new FunctionTool(options, execute) as AgentTool<Source>;
}

/**
 * What a function tool returns: what its `outputSchema` accepts, or anything without one.
 *
 * @publicApi
 */
export type FunctionToolResult<Returned> = unknown extends Returned
  ? unknown
  : Returned | PromiseLike<Returned>;
