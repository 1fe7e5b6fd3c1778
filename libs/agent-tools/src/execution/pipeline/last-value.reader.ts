import { EmptyError, type Observer } from 'rxjs';
import type { InterceptedCall } from './interceptor.chain.js';

/** Keeps the last value of what a call gives, and tells each value of a stream. */
export class LastValueReader implements Observer<unknown> {
  /** Told when there is no more, if that is not at once. */
  onEnd?: () => void;
  isOver = false;

  private received = 0;
  private last: unknown;
  private failure?: { readonly error: unknown };

  constructor(private readonly handler: InterceptedCall) {}

  next(value: unknown): void {
    const { handler } = this;
    this.received++;
    this.last = value;
    if (!handler.stream) return;
    // An interceptor may take its time with each value; it is the last that was returned.
    if (!handler.hasReturned || this.received <= handler.yielded) handler.progress(value);
  }

  error(error: unknown): void {
    this.failure = { error };
    this.end();
  }

  complete(): void {
    // A generator may yield nothing; an Observable without a value is an error in Nest.
    const isNothing = this.received === 0 && this.handler.stream !== 'sequence';
    if (isNothing) this.failure = { error: new EmptyError() };
    this.end();
  }

  /**
   * The last value.
   *
   * @throws the error of the source, or EmptyError
   */
  settle(): unknown {
    if (this.failure) throw this.failure.error;
    return this.last;
  }

  /** The same as a promise. */
  async result(): Promise<unknown> {
    return this.settle();
  }

  private end(): void {
    this.isOver = true;
    this.onEnd?.();
  }
}
