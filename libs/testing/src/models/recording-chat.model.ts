import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
} from 'nestjs-agent-tools';
import type { PlayedTurn } from '../interfaces/played-turn.interface.js';
import { untilAborted } from './until-aborted.js';

/**
 * A chat model for tests that records what it is asked.
 *
 * @publicApi
 */
export abstract class RecordingChatModel implements ChatModel {
  abstract readonly name: string;

  /** The requests so far, each with its messages as they were then. */
  readonly requests: ChatRequest[] = [];

  /** Answers one request, which is recorded already. */
  protected abstract play(
    request: ChatRequest,
    options: ChatOptions,
  ): PlayedTurn | Promise<PlayedTurn>;

  async generate(request: ChatRequest, options: ChatOptions = {}): Promise<ChatResponse> {
    const turn = await this.next(request, options);
    return turn.response();
  }

  async *stream(request: ChatRequest, options: ChatOptions = {}): AsyncGenerator<ChatDelta> {
    const turn = await this.next(request, options);
    yield* turn.deltas;
  }

  private async next(request: ChatRequest, options: ChatOptions): Promise<PlayedTurn> {
    options.signal?.throwIfAborted();
    // The list of messages grows with the run, so the record needs its own.
    this.requests.push({ ...request, messages: [...request.messages] });
    const turn = this.play(request, options);
    return turn instanceof Promise ? untilAborted(turn, options.signal) : turn;
  }
}
