import type { ChatDelta } from '../interfaces/chat-model.interface.js';
import { AnswerConverter } from './answer.converter.js';

/**
 * Converts the answer to a request in which nothing may be called. What looks like a call is text, as the
 * user may have asked how one is written; but an answer of nothing else was meant to call, and says nothing.
 */
export class SilencedConverter {
  private reading: AnswerConverter;
  private readonly showing = new AnswerConverter(new Set());
  /** Text that may be all markup of calls. */
  private held?: ChatDelta[] = [];

  /** @param names of the tools of the request */
  constructor(private readonly names: ReadonlySet<string>) {
    this.reading = new AnswerConverter(names);
  }

  get isCut(): boolean {
    return this.showing.isCut;
  }

  push(delta: ChatDelta): ChatDelta[] {
    if (delta.type === 'restart') {
      this.reading = new AnswerConverter(this.names);
      this.held = [];
    }
    const read = this.reading.push(delta);
    const shown = this.showing.push(delta);
    if (delta.type !== 'text') return shown;
    if (this.held && !read.some(isSaid)) {
      this.held.push(...shown);
      return [];
    }
    return [...this.release(), ...shown];
  }

  end(): ChatDelta[] {
    const read = this.reading.end();
    const shown = this.showing.end();
    const isCall = this.held && read.some(({ type }) => type === 'tool-call') && !read.some(isSaid);
    return isCall ? shown.filter(({ type }) => type !== 'text') : [...this.release(), ...shown];
  }

  giveUp(): ChatDelta[] {
    return [...this.release(), ...this.showing.giveUp()];
  }

  private release(): ChatDelta[] {
    const { held = [] } = this;
    this.held = undefined;
    return held;
  }
}

function isSaid(delta: ChatDelta): boolean {
  return delta.type === 'text' && delta.text.trim() !== '';
}
