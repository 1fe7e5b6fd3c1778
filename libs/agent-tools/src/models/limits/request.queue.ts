import type { ChatOptions } from '../interfaces/chat-model.interface.js';
import type { LimitOptions } from './interfaces/limit-options.interface.js';
import { MinuteWindow } from './minute.window.js';
import { RequestTurn } from './request.turn.js';
import { WaitingLine } from '../../utils/waiting-line.js';

/** Lets requests through in the order in which they came. */
export class RequestQueue {
  private readonly concurrency: number;
  private readonly requests?: MinuteWindow;
  private readonly tokens?: MinuteWindow;
  private readonly waiting = new WaitingLine<RequestTurn>();
  private running = 0;
  private timer?: NodeJS.Timeout;

  constructor({ concurrency, requestsPerMinute, tokensPerMinute }: LimitOptions) {
    this.concurrency = concurrency ?? Infinity;
    this.requests = requestsPerMinute ? new MinuteWindow(requestsPerMinute) : undefined;
    this.tokens = tokensPerMinute ? new MinuteWindow(tokensPerMinute) : undefined;
  }

  /** Whether the tokens of a request matter. */
  get countsTokens(): boolean {
    return this.tokens !== undefined;
  }

  /**
   * Takes a place, at once or later. Whatever happens, `leave()` of it must follow.
   *
   * @param tokens as estimated
   */
  enter(tokens: number, options: ChatOptions): RequestTurn {
    const turn = new RequestTurn(this, tokens);
    this.waiting.add(turn);
    this.admit();
    // The signal is only read if there is a wait: some are made when they are first read.
    if (this.waiting.has(turn)) turn.wait(options.signal);
    return turn;
  }

  /** Takes a turn out of the queue. */
  giveUp(turn: RequestTurn): void {
    this.waiting.remove(turn);
    this.admit();
  }

  /** Gives a place back. */
  release({ entry }: RequestTurn, tokens: number | undefined): void {
    this.running--;
    if (entry && tokens !== undefined) this.tokens?.correct(entry, tokens, performance.now());
    this.admit();
  }

  private admit(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (let turn = this.waiting.first; turn; turn = this.waiting.first) {
      if (this.running >= this.concurrency) return;
      const now = performance.now();
      const wait = Math.max(
        this.requests?.wait(1, now) ?? 0,
        this.tokens?.wait(turn.tokens, now) ?? 0,
      );
      if (wait > 0) {
        this.timer = setTimeout(() => this.admit(), Math.ceil(wait));
        return;
      }
      this.running++;
      this.requests?.take(1, now);
      this.waiting.remove(turn);
      turn.start(this.tokens?.take(turn.tokens, now));
    }
  }
}
