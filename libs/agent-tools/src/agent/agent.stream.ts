import { AsyncResource } from 'node:async_hooks';
import type { MessageEvent } from '@nestjs/common';
import { Observable } from 'rxjs';
import type { AgentLoop } from './agent.loop.js';
import type { AgentRunState } from './agent-run.state.js';
import type { AgentEvent } from './interfaces/agent-event.interface.js';
import type { AgentResult } from './interfaces/agent-result.interface.js';
import { toMessageEvents, type SseOptions } from './sse.mapper.js';

interface EventIterator extends AsyncIterator<AgentEvent, undefined> {
  return(): Promise<IteratorReturnResult<undefined>>;
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

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
  /** The tools see the async context in which the stream was made, whoever reads it. */
  private readonly origin = new AsyncResource('AgentStream');
  private resolve!: (result: AgentResult) => void;
  private reject!: (error: unknown) => void;
  private isClaimed = false;
  private hasLeft = false;
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
    return { [Symbol.asyncIterator]: () => textOf(this[Symbol.asyncIterator]()) };
  }

  [Symbol.asyncIterator](): EventIterator {
    this.claim();
    return {
      next: async () => (this.hasLeft ? DONE : this.advance()),
      return: () => this.leave(),
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
        void iterator.return();
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
    this.claim();
    void this.readToEnd();
  }

  /** The run ends as one that was aborted: its calls are awaited, and the result has all it did. */
  private async leave(): Promise<typeof DONE> {
    this.hasLeft = true;
    if (this.isSettled) return DONE;
    this.state.lifetime.abort(new DOMException('The consumer left the stream.', 'AbortError'));
    await this.readToEnd();
    return DONE;
  }

  private async readToEnd(): Promise<void> {
    try {
      while (!(await this.advance()).done);
    } catch {
      // The failure is in `outcome`.
    }
  }

  private async advance(): Promise<IteratorResult<AgentEvent, undefined>> {
    const next = await this.origin.runInAsyncScope(this.readNext);
    if (next.done) return DONE;
    const event = next.value;
    // Not at the end of the generator: a consumer may stop at the last event.
    if (event.type === 'run-finished') {
      this.isSettled = true;
      this.resolve(event.result);
    } else if (event.type === 'run-failed') {
      this.isSettled = true;
      this.reject(event.error);
    }
    return next;
  }

  private readonly readNext = () => this.events.next();
}

function textOf(events: EventIterator): AsyncIterator<string, undefined> {
  return {
    next: async () => {
      for (;;) {
        const next = await events.next();
        if (next.done) return next;
        if (next.value.type === 'text-delta') return { done: false, value: next.value.text };
      }
    },
    return: () => events.return(),
  };
}
