import { Logger } from '@nestjs/common';
import type { ToolDeclarationException } from './tools/tool-declaration.exception.js';
import type { ChatModel } from './models/interfaces/chat-model.interface.js';
import { isDebugEnabled } from './utils/is-debug-enabled.js';
import type { BoundTool } from './execution/bound-tool.js';
import type { ToolPipeline } from './execution/pipeline/tool.pipeline.js';
import type { ToolDefinition } from './tools/interfaces/tool-definition.interface.js';

/** Tells the log which tools there are: a warning where something is missing, the rest at debug level. */
export class BootReport {
  private readonly logger = new Logger('AgentTools');

  /** @param model the one of the module, if it has one */
  constructor(private readonly model: ChatModel | undefined) {}

  add({ definition }: BoundTool, pipeline: ToolPipeline): void {
    const { name, description, host, inputSchema } = definition;
    const method = `${host.className}.${host.methodName}`;
    if (description === '') {
      this.logger.warn(
        `Tool "${name}" (${method}) has no description, so a model cannot know when to use it. ` +
          'Write @Tool("what it does, when to use it").',
      );
    }
    if (definition.strict) this.warnIfNotStrict(definition);
    if (!isDebugEnabled()) return;
    const { scope, enhancers } = pipeline.explain();
    const names = enhancers.map(({ name: enhancer, level }) =>
      level === 'global' ? `${enhancer} (global)` : enhancer,
    );
    this.logger.debug(
      `Tool "${name}" → ${method} in ${host.moduleName}, ${scope}, schema from ${inputSchema.source}, ` +
        `enhancers: ${names.length > 0 ? names.join(', ') : 'none of its own'}`,
    );
    this.debugLosses(definition);
  }

  private warnIfNotStrict({ name, host, inputSchema }: ToolDefinition): void {
    const { model } = this;
    if (!model?.toolSchemas) return;
    const { strict } = model.toolSchemas;
    const converted = strict?.(inputSchema.jsonSchema);
    if (converted?.strict) return;
    const refusals = converted?.refusals ?? ['its server has no strict tools'];
    this.logger.warn(
      `Tool "${name}" (${host.className}.${host.methodName}) has \`strict: true\`, which ${model.name} ` +
        `cannot keep: ${listShort(refusals)}. The tool is sent without it. ` +
        `${strict ? 'Describe the input by objects with named, typed properties, or remove' : 'Remove'} ` +
        '`strict` from the options of @Tool().',
    );
  }

  private debugLosses({ name, strict: isStrict, inputSchema }: ToolDefinition): void {
    const { model } = this;
    if (!model?.toolSchemas) return;
    const { plain, strict } = model.toolSchemas;
    const { losses } = ((isStrict && strict) || plain)(inputSchema.jsonSchema);
    if (losses.length === 0) return;
    this.logger.debug(
      `Tool "${name}": ${model.name} does not take ${listShort(losses)} of its schema; input is ` +
        'validated against the whole of it all the same',
    );
  }

  warn(message: string): void {
    this.logger.warn(message);
  }

  /** Tools that are left out, after the boot. */
  refuse(error: ToolDeclarationException): void {
    this.logger.error(error.message);
  }
}

/** The first few tell what kind of thing it is. */
const LISTED = 5;

function listShort(items: readonly string[]): string {
  const more = items.length > LISTED ? `; and ${items.length - LISTED} more` : '';
  return items.slice(0, LISTED).join('; ') + more;
}
