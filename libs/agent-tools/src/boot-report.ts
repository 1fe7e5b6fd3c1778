import { Logger } from '@nestjs/common';
import type { ToolDeclarationException } from './tools/tool-declaration.exception.js';
import { isDebugEnabled } from './utils/is-debug-enabled.js';
import type { BoundTool } from './execution/bound-tool.js';

/** Tells the log which tools there are: a warning where something is missing, the rest at debug level. */
export class BootReport {
  private readonly logger = new Logger('AgentTools');

  add({ definition }: BoundTool, describeEnhancers: () => readonly string[]): void {
    const { name, description, host, inputSchema } = definition;
    const method = `${host.className}.${host.methodName}`;
    if (description === '') {
      this.logger.warn(
        `Tool "${name}" (${method}) has no description, so a model cannot know when to use it. ` +
          'Write @Tool("what it does, when to use it").',
      );
    }
    if (!isDebugEnabled()) return;
    const enhancers = describeEnhancers();
    this.logger.debug(
      `Tool "${name}" → ${method} in ${host.moduleName}, schema from ${inputSchema.source}, ` +
        `enhancers: ${enhancers.length > 0 ? enhancers.join(', ') : 'none of its own'}`,
    );
  }

  /** Tools that are left out, after the boot. */
  refuse(error: ToolDeclarationException): void {
    this.logger.error(error.message);
  }
}
