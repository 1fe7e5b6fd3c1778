import { AsyncResource } from 'node:async_hooks';
import type { MessageEvent } from '@nestjs/common';
import { Observable } from 'rxjs';
import type { AgentLoop } from './agent.loop.js';
import type { AgentRunException } from './agent-run.exception.js';
import type { AgentRunState } from './agent-run.state.js';
import { EventChannel } from './event.channel.js';
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
  private readonly channel = new EventChannel<AgentEvent>();
  private readonly outcome: Promise<AgentResult>;
  /** The tools see the async context in which the stream was made, whoever reads it. */
  private readonly origin = new AsyncResource('AgentStream');
  private resolve!: (result: AgentResult) => void;
  private reject!: (error: unknown) => void;
  private isClaimed = false;
  private hasStarted = false;
  private isSettled = false;

  /** @internal */
  constructor(
    private readonly loop: AgentLoop,
    private readonly state: AgentRunState,
  ) {
    state.emit = this.channel.emit;
    // A reader that has stopped must not keep an aborted run from its end.
    state.lifetime.onAbort = () => this.channel.runFree();
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
    return { [Symbol.asyncIterator]: () => textOf(this.open()) };
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentEvent, undefined> {
    return this.open();
  }

  /** A cold Observable of the events; unsubscribing leaves the run. */
  toObservable(): Observable<AgentEvent> {
    return new Observable((subscriber) => {
      const iterator = this.open();
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

  private open(): EventIterator {
    if (this.isClaimed) {
      throw new Error(
        'This stream already has a consumer. Read it once, or start another run with stream().',
      );
    }
    this.isClaimed = true;
    return {
      next: () => {
        this.start();
        return this.channel.next();
      },
      return: () => this.leave(),
    };
  }

  private drain(): void {
    if (this.isClaimed) return;
    this.isClaimed = true;
    this.channel.discard();
    this.start();
  }

  /** The run ends as one that was aborted: its calls are awaited, and the result has all it did. */
  private async leave(): Promise<typeof DONE> {
    this.channel.discard();
    if (this.isSettled) return DONE;
    this.state.lifetime.abort(new DOMException('The consumer left the stream.', 'AbortError'));
    this.start();
    await this.outcome.catch(() => undefined);
    return DONE;
  }

  private start(): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    const run = this.origin.runInAsyncScope(() => this.loop.run(this.state));
    run.then(this.succeed, this.fail);
  }

  private readonly succeed = (result: AgentResult) => {
    this.isSettled = true;
    this.resolve(result);
    void this.channel.emit({ ...this.base(), type: 'run-finished', result }, true);
    this.channel.close();
  };

  private readonly fail = (error: AgentRunException) => {
    this.isSettled = true;
    this.reject(error);
    void this.channel.emit({ ...this.base(), type: 'run-failed', error }, true);
    this.channel.close({ error });
  };

  private base() {
    return { runId: this.state.run.id, step: this.state.step };
  }
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
