import type { InputObject, ScanContext, ScanState } from '../interfaces/scan.interface.js';
import { CALL_TAG, FENCE, isBlank, LABELS, RESPONSE_TAG } from '../markup.js';

const MARKERS = [RESPONSE_TAG, CALL_TAG, FENCE, ...LABELS];

/**
 * Behind the object of an `Action Input:`. What stands on its line, or goes on with a comma, may be
 * more of the arguments.
 */
export class InputEndState implements ScanState {
  private blanks = '';

  constructor(
    private readonly context: ScanContext,
    private readonly object: InputObject,
  ) {}

  get raw(): string {
    return this.object.before + this.object.input + this.blanks;
  }

  feed(text: string, at: number): number {
    let next = at;
    while (next < text.length && isBlank(text[next])) next++;
    this.blanks += text.slice(at, next);
    if (next < text.length) this.decide(text[next]);
    return next;
  }

  end(): void {
    this.close();
  }

  private decide(character: string): void {
    const { context, raw } = this;
    if (character === ',') return this.goOn();
    if (this.blanks.includes('\n')) return this.close();
    context.toOpening({
      patterns: MARKERS,
      before: raw,
      onMatch: (marker) => {
        this.close();
        context.read(marker);
      },
      onMiss: (held) => {
        this.goOn();
        context.read(held);
      },
    });
  }

  private goOn(): void {
    const { object, blanks } = this;
    this.context.toInputRest({ ...object, input: object.input + blanks });
  }

  private close(): void {
    this.context.addInput(this.object);
    this.context.read(this.blanks);
  }
}
