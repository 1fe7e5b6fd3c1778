import { isRecord, isText } from 'nestjs-agent-tools/model-kit';
import { isSameJson } from '../../shared/is-same-json.js';

/** The arguments of one call, which come in pieces, as a whole, or both. */
export class CallArguments {
  /** Whether pieces were lost: the whole text says something else than they do. */
  isBroken = false;
  private text = '';
  private isSettled = false;

  /** What is new of them, if anything. */
  take(json: unknown, isWhole: boolean): string | undefined {
    const text = isText(json) || !isRecord(json) ? json : JSON.stringify(json);
    if (!isText(text)) return undefined;
    if (isWhole && this.text) {
      this.isSettled = true;
      this.isBroken ||= !isSameJson(this.text, text);
      return undefined;
    }
    if (this.isSettled) return undefined;
    this.isSettled = isWhole;
    this.text += text;
    return text;
  }
}
