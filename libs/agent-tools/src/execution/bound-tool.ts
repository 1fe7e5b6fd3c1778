import type { Type } from '@nestjs/common';
import { ArgumentsReader } from '../arguments/arguments.reader.js';
import type { ToolDefinition } from '../tools/interfaces/tool-definition.interface.js';
import type { RegisteredTool } from '../tools/tool.registry.js';
import { OutputValidator } from './results/output.validator.js';
import type { ToolPipeline } from './pipeline/tool.pipeline.js';

/**
 * A definition together with what runs it: the reader of its arguments, and the pipeline, which is
 * built at boot or on first use.
 */
export class BoundTool implements RegisteredTool {
  readonly arguments: ArgumentsReader;
  /** Undefined if nothing was said about what the tool returns. */
  readonly output?: OutputValidator;
  isRemoved = false;
  private built?: ToolPipeline;
  private building?: Promise<ToolPipeline>;

  constructor(
    readonly definition: ToolDefinition,
    /** The class by which an agent or a run may choose the tool. */
    readonly hostClass: Type<object>,
    private readonly build: () => Promise<ToolPipeline>,
  ) {
    this.output = OutputValidator.of(definition);
    const { name, chatName, inputSchema, strict } = definition;
    this.arguments = new ArgumentsReader([name, chatName], inputSchema.jsonSchema, strict);
  }

  /**
   * @throws Error whose message is a problem for the boot error
   */
  pipeline(): ToolPipeline | Promise<ToolPipeline> {
    if (this.built) return this.built;
    this.building ??= this.build().then(
      (pipeline) => (this.built = pipeline),
      (error: unknown) => {
        this.building = undefined;
        throw error;
      },
    );
    return this.building;
  }
}
