import type { ChatRequest } from 'nestjs-agent-tools';
import { checkTurn } from '../checks/check-turn.js';
import type { PlayedTurn } from '../interfaces/played-turn.interface.js';
import type { ScriptedTurn } from '../interfaces/scripted-turn.interface.js';
import { RecordingChatModel } from './recording-chat.model.js';
import { TurnPlayer } from './turn.player.js';

/**
 * Plays a script of turns and records what it was asked. Made by `scripted()`.
 *
 * @publicApi
 */
export class ScriptedChatModel extends RecordingChatModel {
  readonly name = 'scripted';

  private readonly player = new TurnPlayer();

  /** @throws TypeError if the script is no list, or a turn in it is none */
  constructor(private readonly turns: readonly ScriptedTurn[]) {
    super();
    if (!Array.isArray(turns)) {
      throw new TypeError("scripted() needs a list of turns: scripted(['It was shipped.']).");
    }
    for (const [index, turn] of turns.entries()) checkTurn(placeOf(index), turn);
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
        `${left} of ${countTurns(this.turns.length)} ${left === 1 ? 'was' : 'were'} not asked for. The run ended early, or the ` +
          'script is too long.',
      );
    }
  }

  protected play(request: ChatRequest): PlayedTurn {
    const { length } = this.requests;
    if (length > this.turns.length) {
      throw new Error(
        `The script has ${countTurns(this.turns.length)}, but the model was asked for turn ${length}. Add it, ` +
          'or look at `requests` for what was asked.',
      );
    }
    return this.player.play(this.turns[length - 1], request, placeOf(length - 1));
  }
}

function placeOf(index: number): string {
  return `turn at index ${index} of scripted()`;
}

function countTurns(count: number): string {
  return `${count} turn${count === 1 ? '' : 's'}`;
}
