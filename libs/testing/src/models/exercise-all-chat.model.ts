import type { ChatMessage, ChatRequest, ChatTool, ToolResultPart } from 'nestjs-agent-tools';
import { checkTestOptions } from '../checks/check-test-options.js';
import type { ExerciseAllOptions } from '../interfaces/exercise-all-options.interface.js';
import type { PlayedTurn } from '../interfaces/played-turn.interface.js';
import type { ScriptedCall } from '../interfaces/scripted-turn.interface.js';
import { RecordingChatModel } from './recording-chat.model.js';
import { SampleException } from '../samples/sample.exception.js';
import { SchemaSampler } from '../samples/schema.sampler.js';
import { TurnPlayer } from './turn.player.js';

const OPTION_NAMES = [
  'optional',
  'oneByOne',
  'arguments',
] as const satisfies readonly (keyof ExerciseAllOptions)[];
const PLACE = 'turn of exerciseAll()';

/**
 * Calls each tool once in a conversation and records what it was asked. Made by `exerciseAll()`.
 *
 * @publicApi
 */
export class ExerciseAllChatModel extends RecordingChatModel {
  readonly name = 'exercise-all';

  private readonly player = new TurnPlayer();
  private readonly given: ReadonlyMap<string, unknown>;

  /** @throws TypeError for an option that there is not */
  constructor(private readonly options: ExerciseAllOptions = {}) {
    super();
    checkTestOptions('exerciseAll()', options, OPTION_NAMES);
    const { arguments: given = {} } = options;
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw new TypeError(
        'exerciseAll({ arguments }) needs an object with arguments by the name of their tool: ' +
          "{ findOrder: { orderNo: 'A-1' } }.",
      );
    }
    this.given = new Map(Object.entries(given));
  }

  protected play(request: ChatRequest): PlayedTurn {
    this.refuseUnknownTools(request.tools ?? []);
    const tools = this.toolsToCall(request);
    if (tools.length === 0) return this.player.play(summarise(request.messages), request, PLACE);
    const isSingle = this.options.oneByOne || request.settings?.parallelToolCalls === false;
    const calls = (isSingle ? tools.slice(0, 1) : tools).map((tool) => this.toCall(tool));
    return this.player.play(calls, request, PLACE);
  }

  private refuseUnknownTools(tools: readonly ChatTool[]): void {
    const names = new Set(tools.map(({ name }) => name));
    const unknown = [...this.given.keys()].filter((name) => !names.has(name));
    if (unknown.length === 0) return;
    throw new Error(
      `exerciseAll({ arguments }) has arguments for ${unknown.join(', ')}, but the tools of the run are: ` +
        `${[...names].join(', ') || 'none'}. Correct the names.`,
    );
  }

  /** The conversation says which tools were called, so one model can serve several runs at once. */
  private toolsToCall({ messages, tools = [], toolChoice = 'auto' }: ChatRequest): ChatTool[] {
    if (toolChoice === 'none') return [];
    const called = new Set(messages.flatMap(calledIn));
    const left = tools.filter(({ name }) => !called.has(name));
    return typeof toolChoice === 'object'
      ? left.filter(({ name }) => name === toolChoice.tool)
      : left;
  }

  private toCall({ name, inputSchema }: ChatTool): ScriptedCall {
    if (this.given.has(name)) return { tool: name, arguments: this.given.get(name) };
    try {
      const sampler = new SchemaSampler(inputSchema, this.options.optional ?? false);
      return { tool: name, arguments: sampler.sample() };
    } catch (error) {
      if (!(error instanceof SampleException)) throw error;
      throw new Error(
        `exerciseAll() cannot make arguments for the tool "${name}": ${error.message}. Give them: ` +
          `exerciseAll({ arguments: { ${JSON.stringify(name)}: { … } } }).`,
      );
    }
  }
}

function calledIn(message: ChatMessage): string[] {
  if (message.role !== 'assistant') return [];
  return message.content.flatMap((part) => (part.type === 'tool-call' ? [part.name] : []));
}

function summarise(messages: readonly ChatMessage[]): string {
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.content : []));
  if (results.length === 0) return 'There was no tool to call.';
  const lines = results.map((result) => `${result.name}: ${result.status}: ${textOf(result)}`);
  return [`Tools called: ${results.length}.`, ...lines].join('\n');
}

function textOf({ content }: ToolResultPart): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '[image]')).join(' ');
}
