import { Injectable, Logger } from '@nestjs/common';
import { Observable, Subscriber, type Observer, type Subscription } from 'rxjs';
import { errorMessage } from '../utils/error-message.js';
import type { RuntimeEvent } from './interfaces/runtime-event.interface.js';

/** Told every event. */
export type RuntimeEventListener = (event: RuntimeEvent) => void;

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
export class AgentEvents extends Observable<RuntimeEvent> {
  private readonly logger = new Logger('AgentTools');
  private readonly listeners = new Set<RuntimeEventListener>();
  /** Asked each time, as listeners of an event emitter come and go. */
  private readonly others: ObservedListener[] = [];

  constructor() {
    super((subscriber) => {
      const listener: RuntimeEventListener = (event) => subscriber.next(event);
      this.listeners.add(listener);
      return () => this.listeners.delete(listener);
    });
  }

  override subscribe(
    observer?: Partial<Observer<RuntimeEvent>> | ((event: RuntimeEvent) => void) | null,
  ): Subscription {
    // An operator reports the errors of its own functions to its own subscriber.
    if (!observer || observer instanceof Subscriber) return super.subscribe(observer ?? undefined);
    const next = typeof observer === 'function' ? observer : observer.next?.bind(observer);
    return super.subscribe({ next: (event) => next && this.call(next, event) });
  }

  /** Whether it is worth while to build an event. @internal */
  get observed(): boolean {
    if (this.listeners.size > 0) return true;
    return this.others.length > 0 && this.others.some((other) => other.observed);
  }

  /** @internal */
  emit(event: RuntimeEvent): void {
    for (const listener of this.listeners) this.call(listener, event);
    for (const other of this.others) {
      if (other.observed) this.call(other.listen, event);
    }
  }

  /** Hands events on to somebody who does not always want them. @internal */
  forwardTo(other: ObservedListener): void {
    this.others.push(other);
  }

  private call(listener: RuntimeEventListener, event: RuntimeEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.logger.error(`A listener of "${event.type}" events failed: ${errorMessage(error)}`);
    }
  }
}

/** A listener together with whether it listens. */
export interface ObservedListener {
  readonly observed: boolean;
  readonly listen: RuntimeEventListener;
}
