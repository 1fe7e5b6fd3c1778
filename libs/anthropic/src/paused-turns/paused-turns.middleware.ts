import {
  ChatStreamAssembler,
  type ChatDelta,
  type ChatModel,
  type ChatModelMiddleware,
  type ChatOptions,
  type ChatRequest,
  type ChatResponse,
} from 'nestjs-agent-tools';
import { isRecord } from 'nestjs-agent-tools/model-kit';
import type { AnthropicOptions } from '../interfaces/anthropic-options.interface.js';
import { PausedTurn } from './paused-turn.js';

/**
 * Goes on with a turn that Anthropic paused (`pause_turn`): the same request, and what came so far as the
 * begin of the answer. Only tools that Anthropic runs make it pause, so nothing is done without such.
 */
export class PausedTurns implements ChatModelMiddleware {
  private readonly hasServerTools: boolean;

  constructor({ serverTools = [], body }: AnthropicOptions) {
    this.hasServerTools = serverTools.length > 0 || declaresTools(body);
  }

  async generate(
    request: ChatRequest,
    options: ChatOptions,
    next: ChatModel,
  ): Promise<ChatResponse> {
    if (!this.mayPause(request)) return next.generate(request, options);
    const turn = new PausedTurn(request);
    for (;;) {
      const response = await next.generate(turn.request, options);
      if (!turn.add(response)) return turn.whole(response);
    }
  }

  stream(request: ChatRequest, options: ChatOptions, next: ChatModel): AsyncIterable<ChatDelta> {
    return this.mayPause(request)
      ? this.continued(new PausedTurn(request), options, next)
      : next.stream(request, options);
  }

  private async *continued(
    turn: PausedTurn,
    options: ChatOptions,
    next: ChatModel,
  ): AsyncGenerator<ChatDelta, void, undefined> {
    for (;;) {
      const assembler = new ChatStreamAssembler();
      let finish: ChatDelta | undefined;
      for await (const delta of next.stream(turn.request, options)) {
        assembler.push(delta);
        if (delta.type === 'finish') finish = delta;
        else yield* turn.toDeltas(delta);
      }
      // Whoever reads the stream finds that it was cut off.
      if (!finish) return;
      if (!turn.add(assembler.finish())) {
        yield finish;
        return;
      }
    }
  }

  private mayPause({ settings }: ChatRequest): boolean {
    return this.hasServerTools || declaresTools(settings?.body);
  }
}

function declaresTools(body: AnthropicOptions['body'] = {}): boolean {
  return isRecord(body) && ('tools' in body || 'mcp_servers' in body);
}
