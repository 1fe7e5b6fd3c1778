import type { MessageEvent } from '@nestjs/common';
import { Observable } from 'rxjs';
import type { AgentLoop } from './agent.loop.js';
import type { AgentRunState } from './agent-run.state.js';
import type { AgentEvent } from './interfaces/agent-event.interface.js';
import type { AgentResult } from './interfaces/agent-result.interface.js';
import { toMessageEvents, type SseOptions } from './sse.mapper.js';

/**
 * A run that is read while it happens. It starts at the first read, subscription or `.result`, and
 * has one consumer. Leaving early aborts the model request and the tools. A failure is a
 * `run-failed` event, then the throw.
 *
 * ```ts
 * for await (const event of agent.stream('…')) { … }
 * ```
 *
 * @publicApi
 */
export class AgentStream implements AsyncIterable<AgentEvent> {
  private readonly events: AsyncGenerator<AgentEvent, AgentResult, void>;
  private readonly outcome: Promise<AgentResult>;
  private resolve!: (result: AgentResult) => void;
  private reject!: (error: unknown) => void;
  private isClaimed = false;
  private isSettled = false;

  /** @internal */
  constructor(
    loop: AgentLoop,
    private readonly state: AgentRunState,
  ) {
    this.events = loop.run(state);
    this.outcome = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // An unread result must not become an unhandled rejection.
    this.outcome.catch(() => undefined);
  }

  /**
   * How the run ended. If nothing else reads the stream, asking for the result reads it to its end.
   * After a consumer that left early it is a result with the status `aborted`.
   */
  get result(): Promise<AgentResult> {
    // A reader that attaches in the same tick comes first.
    if (!this.isClaimed) queueMicrotask(() => this.drain());
    return this.outcome;
  }

  /** The pieces of text only. */
  get textStream(): AsyncIterable<string> {
    return { [Symbol.asyncIterator]: () => textOf(this) };
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentEvent, undefined> {
    this.claim();
    return {
      next: async () => {
        try {
          const next = await this.events.next();
          if (!next.done) return next;
          this.settle(next.value);
          return { done: true, value: undefined };
        } catch (error) {
          this.fail(error);
          throw error;
        }
      },
      return: async () => {
        await this.leave();
        return { done: true, value: undefined };
      },
    };
  }

  /** A cold Observable of the events; unsubscribing leaves the run. */
  toObservable(): Observable<AgentEvent> {
    return new Observable((subscriber) => {
      const iterator = this[Symbol.asyncIterator]();
      const read = async () => {
        while (!subscriber.closed) {
          const next = await iterator.next();
          if (next.done) break;
          subscriber.next(next.value);
        }
        subscriber.complete();
      };
      read().catch((error: unknown) => subscriber.error(error));
      return () => {
        void iterator.return?.();
      };
    });
  }

  /**
   * For a controller's `@Sse()` method: text, tool names and states, safe for browsers. Arguments,
   * results, reasoning and errors stay on the server unless `include` names them; a failure is an
   * event with a fixed text, after which the stream completes.
   */
  toSse(options: SseOptions = {}): Observable<MessageEvent> {
    return toMessageEvents(this.toObservable(), options);
  }

  private claim(): void {
    if (this.isClaimed) {
      throw new Error(
        'This stream already has a consumer. Read it once, or start another run with stream().',
      );
    }
    this.isClaimed = true;
  }

  private drain(): void {
    if (this.isClaimed) return;
    const iterator = this[Symbol.asyncIterator]();
    const read = async () => {
      while (!(await iterator.next()).done);
    };
    // The failure is in `outcome`.
    read().catch(() => undefined);
  }

  private async leave(): Promise<void> {
    if (this.isSettled) return;
    this.state.lifetime.abort(new DOMException('The consumer left the stream.', 'AbortError'));
    try {
      await this.events.return(this.state.abortedResult());
      this.settle(this.state.abortedResult());
    } catch (error) {
      this.fail(error);
    }
  }

  private settle(result: AgentResult): void {
    this.isSettled = true;
    this.resolve(result);
  }

  private fail(error: unknown): void {
    this.isSettled = true;
    this.reject(error);
  }
}

async function* textOf(stream: AgentStream): AsyncGenerator<string, void, void> {
  for await (const event of stream) {
    if (event.type === 'text-delta') yield event.text;
  }
}
