import type { WireChoice, WireCompletion } from './interfaces/chat-completions.interface.js';
import { chooseComplete, isComplete } from './complete-choice.js';

/** Keeps to one of the choices of an answer. */
export class ChoicePicker {
  private index?: number;

  get hasPicked(): boolean {
    return this.index !== undefined;
  }

  /** @param hasPieces whether pieces of a choice came, to which the whole message belongs then */
  pick(choices: WireCompletion['choices'], hasPieces: boolean): WireChoice | undefined {
    if (!Array.isArray(choices)) return undefined;
    const list = (choices as readonly (WireChoice | null)[]).filter((choice) => choice !== null);
    const isWhole = !hasPieces && list.some(isComplete);
    const choice = isWhole ? chooseComplete(list) : this.pickPiece(list);
    if (choice) this.index ??= choice.index ?? 0;
    return choice;
  }

  /** A body that asks for several choices gets pieces of all of them, in any order. */
  private pickPiece(choices: readonly WireChoice[]): WireChoice | undefined {
    return choices.find(({ index }) => (index ?? this.index ?? 0) === (this.index ?? index ?? 0));
  }
}
