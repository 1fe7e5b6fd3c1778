import type { TextCall } from '../text-calls/interfaces/text-call.interface.js';
import { unfence } from '../text-calls/unfence.js';
import { AnswerOutput } from './answer.output.js';
import type { AnswerPiece } from './interfaces/answer-piece.interface.js';
import type {
  InputObject,
  Opening,
  ScanContext,
  ScanState,
  UnmarkedCalls,
} from './interfaces/scan.interface.js';
import { FENCE } from './markup.js';
import { ActionInputState } from './states/action-input.state.js';
import { ActionState } from './states/action.state.js';
import { BlockState } from './states/block.state.js';
import { FenceState } from './states/fence.state.js';
import { InputEndState } from './states/input-end.state.js';
import { InputRestState } from './states/input-rest.state.js';
import { JsonState } from './states/json.state.js';
import { OpeningState } from './states/opening.state.js';
import { ProseState } from './states/prose.state.js';
import { UnmarkedCallsState } from './states/unmarked-calls.state.js';

/**
 * Takes the calls out of an answer that comes in pieces, and lets flow what cannot be one. The result
 * does not depend on the pieces, and each character is looked at a bounded number of times.
 */
export class AnswerScanner implements ScanContext {
  readonly calls: TextCall[] = [];
  readonly output = new AnswerOutput();
  isCut = false;
  hasThought = false;
  isFinal = false;
  isInFence = false;

  private state: ScanState = new ProseState(this);

  /** @param names of the tools */
  constructor(readonly names: ReadonlySet<string>) {}

  get hasCalls(): boolean {
    return this.calls.length > 0;
  }

  /** Returns what may be shown now. */
  push(piece: string): AnswerPiece[] {
    this.read(piece);
    return this.output.take();
  }

  /** The answer is whole. Returns the rest of what is shown. */
  end(): AnswerPiece[] {
    // One state may hand over to another one.
    for (let state = this.enterNone(); state; state = this.enterNone()) state.end();
    this.output.end();
    return this.output.take();
  }

  /** The answer broke off, so what was held back is text. Returns it. */
  giveUp(): AnswerPiece[] {
    const { raw } = this.state;
    if (!this.isCut) this.output.show(raw);
    this.output.end();
    return this.output.take();
  }

  read(text: string): void {
    for (let at = 0; at < text.length && !this.isCut;) at = this.state.feed(text, at);
  }

  addCalls(calls: readonly TextCall[]): void {
    for (const call of calls) this.calls.push(call);
    this.output.skipCalls();
  }

  addInput({ name, input, isFenced }: InputObject): void {
    const written = input.trim();
    this.addCalls([{ name, arguments: unfence(written, true) ?? written }]);
    this.isInFence = isFenced && !written.endsWith(FENCE);
    this.toProse();
  }

  cut(): void {
    this.isCut = true;
    this.toProse();
  }

  toProse(): void {
    this.state = new ProseState(this);
  }

  toOpening(opening: Opening): void {
    this.state = new OpeningState(opening);
  }

  toFence(): void {
    this.state = new FenceState(this);
  }

  toJson(unmarked: UnmarkedCalls): void {
    this.state = new JsonState(this, unmarked);
  }

  toUnmarked(unmarked: UnmarkedCalls): void {
    this.state = new UnmarkedCallsState(this, unmarked);
  }

  toBlock(before: string): void {
    this.state = new BlockState(this, before);
  }

  toAction(): void {
    this.state = new ActionState(this);
  }

  toActionInput(name: string, before: string): void {
    this.state = new ActionInputState(this, name, before);
  }

  toInputEnd(object: InputObject): void {
    this.state = new InputEndState(this, object);
  }

  toInputRest(object: InputObject): void {
    this.state = new InputRestState(this, object);
  }

  /** The state so far, unless it is prose, which holds nothing back. */
  private enterNone(): ScanState | undefined {
    const { state } = this;
    if (state instanceof ProseState) return undefined;
    this.toProse();
    return state;
  }
}
