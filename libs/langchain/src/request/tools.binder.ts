import type { ChatTool, ToolChoice } from 'nestjs-agent-tools';
import { convertInputSchema } from 'nestjs-agent-tools/model-kit';
import type { LangChainModel, LangChainRunnable } from '../interfaces/langchain-model.interface.js';
import type { ModelTraits } from '../profile/model-traits.js';

/** What LangChain takes a word of its own for. */
const RESERVED = new Set(['auto', 'any', 'none', 'required']);

/** Binds tools to a model, once for each list of tools and what it is bound with. */
export class ToolsBinder {
  private readonly bound = new WeakMap<readonly ChatTool[], Map<string, LangChainRunnable>>();

  constructor(
    private readonly model: LangChainModel,
    private readonly traits: ModelTraits,
  ) {}

  bind(
    tools: readonly ChatTool[],
    choice: ToolChoice | undefined,
    parallel: boolean | undefined,
  ): LangChainRunnable {
    const { model } = this;
    if (tools.length === 0) return model;
    const key = JSON.stringify([choice ?? 'auto', parallel]);
    const ofTools = this.bound.get(tools) ?? new Map<string, LangChainRunnable>();
    this.bound.set(tools, ofTools);
    const known = ofTools.get(key);
    if (known) return known;
    const made = this.make(tools, choice, parallel);
    ofTools.set(key, made);
    return made;
  }

  private make(
    tools: readonly ChatTool[],
    choice: ToolChoice | undefined,
    parallel: boolean | undefined,
  ): LangChainRunnable {
    const { model, traits } = this;
    const encoded = tools.map((tool) => this.encode(tool));
    const tool_choice = encodeChoice(choice, traits);
    // LangChain hands the strictness of single tools to Chat Completions, but not to the Responses API.
    const isStrict = traits.isOpenAI && encoded.every(({ strict }) => strict === true);
    const bound = model.bindTools?.(
      encoded.map((definition) => ({ type: 'function', function: definition })),
      {
        ...(tool_choice !== undefined && { tool_choice }),
        ...(isStrict && { strict: true }),
        ...(parallel !== undefined && { parallel_tool_calls: parallel }),
      },
    );
    return bound ?? model;
  }

  private encode(tool: ChatTool): EncodedTool {
    const { name, description, strict } = tool;
    const converted = convertInputSchema(tool, this.traits.toolSchemas);
    const isSent = strict === false || (strict === true && converted.strict);
    return { name, description, parameters: converted.schema, ...(isSent && { strict }) };
  }
}

interface EncodedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
  readonly strict?: boolean;
}

function encodeChoice(choice: ToolChoice | undefined, { takesNone }: ModelTraits): unknown {
  if (choice === undefined || choice === 'auto') return undefined;
  if (choice === 'none') return takesNone ? 'none' : undefined;
  if (choice === 'required') return 'any';
  const { tool: name } = choice;
  return RESERVED.has(name) ? { type: 'function', function: { name } } : name;
}
