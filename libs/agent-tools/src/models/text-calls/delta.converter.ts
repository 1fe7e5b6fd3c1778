import type { ChatDelta } from '../interfaces/chat-model.interface.js';
import { TextCallScanner } from './text-call.scanner.js';

type TextDelta = Extract<ChatDelta, { type: 'text' }>;
type FinishDelta = Extract<ChatDelta, { type: 'finish' }>;

/** Converts one streamed answer: calls that came as text become calls. */
export class DeltaConverter {
  /** Whether a made-up result was cut off; known at the end. */
  isCut = false;

  private scanner: TextCallScanner;
  private finishes: FinishDelta[] = [];
  private hasNativeCall = false;
  private part?: number;

  /** @param names of the tools of the request */
  constructor(private readonly names: ReadonlySet<string>) {
    this.scanner = new TextCallScanner(names);
  }

  push(delta: ChatDelta): ChatDelta[] {
    switch (delta.type) {
      case 'text': {
        this.part = delta.part;
        const text = this.scanner.push(delta.text);
        return text === '' && !delta.providerMetadata ? [] : [{ ...delta, text }];
      }
      case 'tool-call':
        if (this.hasNativeCall || !delta.name) return [delta];
        this.hasNativeCall = true;
        return [...this.toText(this.scanner.giveUp()), delta];
      case 'finish':
        // Its reason depends on what is still held back.
        this.finishes.push(delta);
        return [];
      case 'restart':
        this.scanner = new TextCallScanner(this.names);
        this.finishes = [];
        this.hasNativeCall = false;
        this.part = undefined;
        return [delta];
      case 'reasoning':
      case 'usage':
        return [delta];
    }
  }

  /** The rest of an answer, whether it was finished or broke off. */
  end(): ChatDelta[] {
    // Of an answer that broke off, nothing may be run.
    const flushed = this.finishes.length === 0 ? this.scanner.giveUp() : '';
    const { text, calls, isCut } = this.scanner.finish();
    this.isCut = isCut;
    const finishes = this.finishes.map((finish): FinishDelta =>
      calls.length > 0 && finish.reason === 'stop' ? { ...finish, reason: 'tool-calls' } : finish,
    );
    return [
      ...this.toText(flushed + text),
      ...calls.map((call, index) => ({ type: 'tool-call', index, ...call }) as const),
      ...finishes,
    ];
  }

  private toText(text: string): TextDelta[] {
    const { part } = this;
    return text === '' ? [] : [{ type: 'text', text, ...(part !== undefined && { part }) }];
  }
}
