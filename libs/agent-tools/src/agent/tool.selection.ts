import type { BoundTool } from '../execution/bound-tool.js';
import { checkToolChoice } from '../models/settings/check-request.js';
import type { ChatTool, ToolChoice } from '../models/interfaces/chat-model.interface.js';
import type { ToolRegistry } from '../tools/tool.registry.js';
import { listNames } from '../utils/list-names.js';
import type { ToolSelector } from './interfaces/agent-options.interface.js';

/** The tools of an agent or a run, in both forms in which a run needs them. */
export interface SelectedTools {
  /** By the names that models use, and by their own where they differ. */
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
    tools: new Map(tools.flatMap((tool) => namesOf(tool).map((name) => [name, tool]))),
    chatTools: tools.map(toChatTool),
    classesWithoutTools,
  };
}

/**
 * The choice of a run with the name under which the model knows the tool.
 *
 * @throws Error for a tool that the run does not have, and for no choice at all
 */
export function toChatToolChoice(
  choice: ToolChoice,
  tools: ReadonlyMap<string, BoundTool>,
): ToolChoice {
  checkToolChoice(choice);
  if (typeof choice === 'string') return choice;
  const tool = tools.get(choice.tool);
  if (tool) return { tool: tool.definition.chatName };
  const names = new Set([...tools.values()].map(({ definition }) => definition.name));
  throw new Error(
    `The \`toolChoice\` of this run names the tool "${choice.tool}", which the run does not have. ` +
      `Its tools are: ${listNames(names) || 'none'}.`,
  );
}

function matches({ definition, hostClass }: BoundTool, selector: ToolSelector): boolean {
  if (typeof selector === 'string') return definition.name === selector;
  return hostClass === selector || hostClass.prototype instanceof selector;
}

function namesOf({ definition: { name, chatName } }: BoundTool): string[] {
  return name === chatName ? [name] : [chatName, name];
}

function toChatTool({ definition }: BoundTool): ChatTool {
  const { chatName, description, inputSchema, strict } = definition;
  return { name: chatName, description, inputSchema: inputSchema.jsonSchema, strict };
}

function unknownTool(owner: string, name: string, all: readonly BoundTool[]): string {
  const names = listNames(all.map(({ definition }) => definition.name)) || 'none';
  return (
    `${owner} names the tool "${name}", which does not exist. Correct its \`tools\`. ` +
    `The tools of this application are: ${names}.`
  );
}
