import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
} from 'nestjs-agent-tools';
import type { PlayedTurn, ScriptedTurn } from './interfaces/scripted-turn.interface.js';
import { TurnPlayer } from './turn.player.js';

/**
 * Plays a script of turns and records what it was asked. Made by `scripted()`.
 *
 * @publicApi
 */
export class ScriptedChatModel implements ChatModel {
  readonly name = 'scripted';

  /** The requests so far, each with its messages as they were then. */
  readonly requests: ChatRequest[] = [];

  private readonly player = new TurnPlayer();

  constructor(private readonly turns: readonly ScriptedTurn[]) {}

  async generate(request: ChatRequest, options: ChatOptions = {}): Promise<ChatResponse> {
    return this.next(request, options).response();
  }

  async *stream(request: ChatRequest, options: ChatOptions = {}): AsyncGenerator<ChatDelta> {
    yield* this.next(request, options).deltas;
  }

  /**
   * Checks that the whole script was played.
   *
   * @throws Error that says how many turns were not asked for
   */
  assertComplete(): void {
    const left = this.turns.length - this.requests.length;
    if (left > 0) {
      throw new Error(
        `${left} of ${this.turns.length} scripted turns were not asked for. The run ended early, or the ` +
          'script is too long.',
      );
    }
  }

  private next(request: ChatRequest, { signal }: ChatOptions): PlayedTurn {
    signal?.throwIfAborted();
    const index = this.requests.length;
    // The list of messages grows with the run, so the record needs its own.
    this.requests.push({ ...request, messages: [...request.messages] });
    if (index >= this.turns.length) {
      throw new Error(
        `The script has ${this.turns.length} turns, but the model was asked a ${index + 1}th time. Add a turn ` +
          'or look at `requests` for what was asked.',
      );
    }
    return this.player.play(this.turns[index], request);
  }
}
