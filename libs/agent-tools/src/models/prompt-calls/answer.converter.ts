import type { ChatDelta } from '../interfaces/chat-model.interface.js';
import { AnswerScanner } from './answer.scanner.js';
import type { AnswerPiece } from './interfaces/answer-piece.interface.js';

type TextDelta = Extract<ChatDelta, { type: 'text' }>;
type FinishDelta = Extract<ChatDelta, { type: 'finish' }>;

/** Converts one streamed answer: its text is shown without markup, and calls in it become calls. */
export class AnswerConverter {
  private scanner: AnswerScanner;
  private finishes: FinishDelta[] = [];
  private part?: number;
  private nextIndex = 0;

  /** @param names of the tools of the request */
  constructor(private readonly names: ReadonlySet<string>) {
    this.scanner = new AnswerScanner(names);
  }

  /** Whether a made-up result came; nothing after it is of use. */
  get isCut(): boolean {
    return this.scanner.isCut;
  }

  push(delta: ChatDelta): ChatDelta[] {
    switch (delta.type) {
      case 'text':
        return this.pushText(delta);
      case 'tool-call':
        // The model's server knows calls after all; those of the text come behind.
        this.nextIndex = Math.max(this.nextIndex, (delta.index ?? 0) + 1);
        return [delta];
      case 'finish':
        // Its reason depends on what is still held back.
        this.finishes.push(delta);
        return [];
      case 'restart':
        this.scanner = new AnswerScanner(this.names);
        this.finishes = [];
        this.part = undefined;
        this.nextIndex = 0;
        return [delta];
      case 'reasoning':
      case 'usage':
        return [delta];
    }
  }

  /** The rest of an answer that ended. One without a finish broke off. */
  end(): ChatDelta[] {
    if (!this.isCut && this.finishes.length === 0) return this.giveUp();
    const rest = this.toDeltas(this.scanner.end());
    const { calls } = this.scanner;
    for (const { name, arguments: args } of calls) {
      rest.push({ type: 'tool-call', index: this.nextIndex++, name, arguments: args });
    }
    const reason = this.nextIndex > 0 ? 'tool-calls' : 'stop';
    if (this.isCut) return [...rest, { type: 'finish', reason }];
    for (const finish of this.finishes) {
      const isConverted = calls.length > 0 && finish.reason === 'stop';
      rest.push(isConverted ? { ...finish, reason: 'tool-calls' } : finish);
    }
    return rest;
  }

  /** The rest of an answer that broke off: of that, nothing may be run. */
  giveUp(): ChatDelta[] {
    return this.toDeltas(this.scanner.giveUp());
  }

  private pushText({ text, part, providerMetadata }: TextDelta): ChatDelta[] {
    this.part = part;
    const deltas = this.toDeltas(this.scanner.push(text));
    if (!providerMetadata) return deltas;
    const last = deltas.at(-1);
    if (last?.type !== 'text') return [...deltas, { ...this.toText(''), providerMetadata }];
    deltas[deltas.length - 1] = { ...last, providerMetadata };
    return deltas;
  }

  private toDeltas(pieces: readonly AnswerPiece[]): ChatDelta[] {
    return pieces.map(({ type, text }) => ({ ...this.toText(text), type }));
  }

  private toText(text: string): TextDelta {
    const { part } = this;
    return { type: 'text', text, ...(part !== undefined && { part }) };
  }
}
