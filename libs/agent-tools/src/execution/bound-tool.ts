import type { Type } from '@nestjs/common';
import type { ToolDefinition } from '../tools/interfaces/tool-definition.interface.js';
import type { RegisteredTool } from '../tools/tool.registry.js';
import type { ToolPipeline } from './tool.pipeline.js';

/** A definition together with the pipeline that runs it, which is built at boot or on first use. */
export class BoundTool implements RegisteredTool {
  private built?: ToolPipeline;
  private building?: Promise<ToolPipeline>;

  constructor(
    readonly definition: ToolDefinition,
    /** The class by which an agent or a run may choose the tool. */
    readonly hostClass: Type<object>,
    private readonly build: () => Promise<ToolPipeline>,
  ) {}

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
