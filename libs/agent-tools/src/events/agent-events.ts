import { Injectable, Logger } from '@nestjs/common';
import { errorMessage } from '../utils/error-message.js';
import type { RuntimeEvent } from './interfaces/runtime-event.interface.js';
import { IsolatedObservable } from './isolated.observable.js';

/** Told every event. */
export type RuntimeEventListener = (event: RuntimeEvent) => void;

/** A listener together with whether it listens. */
export interface ObservedListener {
  readonly observed: boolean;
  readonly listen: RuntimeEventListener;
}

/**
 * The events of all runs and tool calls of the application, for logs, metrics and audits. Subscribe as to
 * any Observable; it never completes. Nothing is built while nobody observes, and what a listener throws
 * is logged and reaches neither the run nor other listeners. Values are those of the application:
 * arguments and results are in them.
 *
 * ```ts
 * events.pipe(filter(({ type }) => type === 'tool-failed')).subscribe((event) => …);
 * ```
 *
 * @publicApi
 */
@Injectable()
export class AgentEvents extends IsolatedObservable<RuntimeEvent> {
  private readonly listeners = new Set<RuntimeEventListener>();
  /** Asked each time, as listeners of an event emitter come and go. */
  private readonly others: ObservedListener[] = [];

  constructor() {
    const logger = new Logger('AgentTools');
    super(
      (error) => logger.error(`A listener of runtime events failed: ${errorMessage(error)}`),
      (subscriber) => {
        const listener: RuntimeEventListener = (event) => subscriber.next(event);
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
      },
    );
  }

  /** Whether it is worth while to build an event. @internal */
  get observed(): boolean {
    if (this.listeners.size > 0) return true;
    return this.others.length > 0 && this.others.some((other) => other.observed);
  }

  /** @internal */
  emit(event: RuntimeEvent): void {
    for (const listener of this.listeners) this.isolate(listener, event);
    for (const other of this.others) {
      if (other.observed) this.isolate(other.listen, event);
    }
  }

  /** Hands events on to somebody who does not always want them. @internal */
  forwardTo(other: ObservedListener): void {
    this.others.push(other);
  }
}
