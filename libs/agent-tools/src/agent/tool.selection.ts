import type { BoundTool } from '../execution/bound-tool.js';
import type { ChatTool } from '../models/interfaces/chat-model.interface.js';
import type { ToolRegistry } from '../tools/tool.registry.js';
import { listNames } from '../utils/list-names.js';
import type { ToolSelector } from './interfaces/agent-options.interface.js';

/** The tools of an agent or a run, in both forms in which a run needs them. */
export interface SelectedTools {
  readonly tools: ReadonlyMap<string, BoundTool>;
  readonly chatTools: readonly ChatTool[];
  /** Classes that were named but have no tools. */
  readonly classesWithoutTools: readonly string[];
}

/**
 * Chooses tools by name or by the class of their provider; all tools if nothing is chosen.
 *
 * @param owner who chooses, for the error
 * @throws Error for a name that no tool has
 */
export function selectTools(
  registry: ToolRegistry<BoundTool>,
  owner: string,
  selectors: readonly ToolSelector[] | undefined,
): SelectedTools {
  const all = registry.entries();
  const classesWithoutTools: string[] = [];
  const chosen = new Set<BoundTool>();
  for (const selector of selectors ?? []) {
    const matching = all.filter((tool) => matches(tool, selector));
    for (const tool of matching) chosen.add(tool);
    if (matching.length > 0) continue;
    if (typeof selector === 'string') throw new Error(unknownTool(owner, selector, all));
    classesWithoutTools.push(selector.name);
  }
  const tools = selectors ? all.filter((tool) => chosen.has(tool)) : all;
  return {
    tools: new Map(tools.map((tool) => [tool.definition.name, tool])),
    chatTools: tools.map(toChatTool),
    classesWithoutTools,
  };
}

function matches({ definition, hostClass }: BoundTool, selector: ToolSelector): boolean {
  if (typeof selector === 'string') return definition.name === selector;
  return hostClass === selector || hostClass.prototype instanceof selector;
}

function toChatTool({ definition }: BoundTool): ChatTool {
  const { name, description, inputSchema, strict } = definition;
  return { name, description, inputSchema: inputSchema.jsonSchema, strict };
}

function unknownTool(owner: string, name: string, all: readonly BoundTool[]): string {
  const names = listNames(all.map(({ definition }) => definition.name)) || 'none';
  return (
    `${owner} names the tool "${name}", which does not exist. Correct its \`tools\`. ` +
    `The tools of this application are: ${names}.`
  );
}
