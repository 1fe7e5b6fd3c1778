import type { InputObject, ScanContext, ScanState } from '../interfaces/scan.interface.js';
import { MarkerMatcher } from '../marker.matcher.js';
import { CALL_TAG, RESPONSE_TAG } from '../markup.js';

const TAGS = [RESPONSE_TAG, CALL_TAG];

/** The rest of the line of an object. It goes with the object, and is judged where that is read. */
export class InputRestState implements ScanState {
  private readonly pieces: string[] = [];
  private readonly matcher = new MarkerMatcher();

  constructor(
    private readonly context: ScanContext,
    private readonly object: InputObject,
  ) {}

  get raw(): string {
    return this.object.before + this.object.input + this.pieces.join('');
  }

  feed(text: string, at: number): number {
    for (let next = at; next < text.length; next++) {
      const tag = this.matcher.push(text[next], TAGS);
      if (text[next] !== '\n' && tag === undefined) continue;
      this.pieces.push(text.slice(at, tag === undefined ? next : next + 1));
      this.close(tag);
      return tag === undefined ? next : next + 1;
    }
    this.pieces.push(text.slice(at));
    return text.length;
  }

  end(): void {
    this.close();
  }

  private close(tag = ''): void {
    const { object, context, pieces } = this;
    const rest = pieces.join('');
    const input = object.input + rest.slice(0, rest.length - tag.length);
    context.addInput({ ...object, input });
    context.read(tag);
  }
}
