import { AsyncResource } from 'node:async_hooks';
import { Logger, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { errorMessage } from '../../utils/error-message.js';
import {
  finalize,
  isObservable,
  Observable,
  tap,
  type Subscriber,
  type Unsubscribable,
} from 'rxjs';
import { enhancerName } from '../enhancers/enhancer-kind.js';
import { isThenable, toPromise } from '../../utils/is-thenable.js';
import type { CallLifetime } from '../interfaces/call-lifetime.interface.js';
import { LastValueReader } from './last-value.reader.js';
import { discard, isCollectionIterator, readSequence, sequenceOf } from './sequence.reader.js';

const logger = new Logger('AgentTools');

export type StreamKind = 'observable' | 'sequence';

export interface CallFailure {
  readonly error: unknown;
  /** How many interceptors stand around the innermost place that saw this error. */
  readonly level: number;
  /** What went wrong first, before an interceptor put another error in its place. */
  readonly first: Omit<CallFailure, 'first'>;
}

/** What stands behind the last interceptor, and what is known about a call on its way back. */
export interface InterceptedCall {
  /** The error that is on its way out. */
  failure?: CallFailure | undefined;
  /** Set if the tool returned more than one value: an Observable, or an iterable. */
  readonly stream?: StreamKind | undefined;
  /** Values of a sequence so far, without the one that a generator returns. */
  yielded: number;
  /** Whether a generator has returned a value, which is no progress. */
  hasReturned: boolean;
  /** How often it was handled; an interceptor may repeat it. */
  readonly pass: number;
  handle(): unknown;
  /** Told that nobody waits for a pass any more, whose method has maybe not run yet. */
  leave(pass: number): void;
  openStream(kind: StreamKind): void;
  /** Told each value of a stream. */
  progress(value: unknown): void;
  /** Whether somebody wants to know that a stream is over. */
  readonly isObserved: boolean;
  /** Told that a stream is over: it has completed, failed, or was left. */
  endStream(): void;
}

/**
 * Runs interceptors around a handler as Nest does: `handle()` is cold, so an interceptor that
 * subscribes again (rxjs `retry`) runs the rest again; the rest runs in the async context in which
 * `handle()` was called, so a store entered around it is visible further in. A sequence (an Observable,
 * an async iterable, a generator) goes through the interceptors value by value and ends up as its last
 * value, or the one that a generator returns.
 */
export function intercept(
  interceptors: readonly NestInterceptor[],
  context: ExecutionContext,
  handler: InterceptedCall,
  lifetime: CallLifetime,
): unknown {
  const result = step(interceptors, 0, context, handler);
  const isInnermost = interceptors.length === 0;
  return isThenable(result)
    ? toPromise(result).then((settled) => lastValue(settled, isInnermost, handler, lifetime))
    : lastValue(result, isInnermost, handler, lifetime);
}

/** As `lastValueFrom`, but a call that is given up unsubscribes, all the way to the method. */
function lastValue(
  result: unknown,
  isInnermost: boolean,
  handler: InterceptedCall,
  lifetime: CallLifetime,
): unknown {
  const source = isInnermost ? toObservable(result, handler, undefined) : result;
  if (!isObservable(source)) return source;
  const reader = new LastValueReader(handler);
  const subscription = source.subscribe(reader);
  if (reader.isOver) return reader.settle();
  return new Promise((resolve, reject) => {
    reader.onEnd = () => resolve(reader.result());
    lifetime.whenAborted((isTimedOut) => {
      // A method without a stream gets some time to end by itself when its run is aborted.
      if (!isTimedOut && !handler.stream) return;
      reject(new DOMException('The call was given up.', 'AbortError'));
      subscription.unsubscribe();
    });
  });
}

function step(
  interceptors: readonly NestInterceptor[],
  index: number,
  context: ExecutionContext,
  handler: InterceptedCall,
): unknown {
  if (index === interceptors.length) return handler.handle();
  const interceptor = interceptors[index];
  const outcome: unknown = interceptor.intercept(context, {
    handle: () => {
      // Not AsyncResource.bind(): it is about ten times slower on Node 20.
      const resource = new AsyncResource('ToolCallHandler');
      return new Observable((subscriber) => {
        const level = index + 1;
        const isInnermost = level === interceptors.length;
        const rest = new RestOfChain(
          subscriber,
          handler,
          level,
          isInnermost ? resource : undefined,
        );
        rest.start(() =>
          resource.runInAsyncScope(step, undefined, interceptors, level, context, handler),
        );
        return rest;
      });
    },
  });
  return isThenable(outcome)
    ? toPromise(outcome).then((settled) => refuseNothing(settled, interceptor))
    : refuseNothing(outcome, interceptor);
}

/** Who forgets to return must not pass for a tool that did its work. */
function refuseNothing(outcome: unknown, interceptor: NestInterceptor): unknown {
  if (outcome !== undefined) return outcome;
  throw new TypeError(
    `Interceptor "${enhancerName(interceptor)}" returned nothing. Write \`return next.handle();\`.`,
  );
}

/**
 * The values of a sequence that the tool returned; anything else stays as it is.
 *
 * @param resource the async context in which the body of a generator runs
 */
function toObservable(
  value: unknown,
  handler: InterceptedCall,
  resource: AsyncResource | undefined,
): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (isObservable(value)) return asStream(value, 'observable', handler);
  if (isCollectionIterator(value)) return [...value];
  const sequence = sequenceOf(value);
  if (!sequence) return value;
  const values = new Observable((subscriber) =>
    readSequence(sequence, subscriber, handler, resource),
  );
  return asStream(values, 'sequence', handler);
}

function asStream(
  values: Observable<unknown>,
  kind: StreamKind,
  handler: InterceptedCall,
): Observable<unknown> {
  handler.openStream(kind);
  return handler.isObserved ? values.pipe(finalize(() => handler.endStream())) : values;
}

function reportTeardown(error: unknown): void {
  logger.error(`An interceptor failed when its call was over: ${errorMessage(error)}`);
}

/** Hands the outcome of the rest of the chain, in whatever form it comes, to one subscriber. */
class RestOfChain implements Unsubscribable {
  private inner?: Unsubscribable;
  private pass = 0;
  private hasOutcome = false;

  constructor(
    private readonly subscriber: Subscriber<unknown>,
    private readonly handler: InterceptedCall,
    private readonly level: number,
    /** Of the innermost part, which is the tool itself. */
    private readonly resource: AsyncResource | undefined,
  ) {}

  start(run: () => unknown): void {
    let outcome: unknown;
    try {
      outcome = run();
      this.pass = this.handler.pass;
    } catch (error) {
      this.fail(error);
      return;
    }
    if (!isThenable(outcome)) {
      this.emit(outcome);
      return;
    }
    toPromise(outcome)
      .then(
        (value) => this.emit(value),
        (error: unknown) => this.fail(error),
      )
      // What an interceptor throws when it is left comes after the outcome.
      .catch(reportTeardown);
  }

  unsubscribe(): void {
    if (!this.hasOutcome && this.resource) this.handler.leave(this.pass);
    this.inner?.unsubscribe();
  }

  private emit(value: unknown): void {
    this.hasOutcome = true;
    if (this.subscriber.closed) {
      discard(value);
      return;
    }
    const { resource } = this;
    const source = resource ? toObservable(value, this.handler, resource) : value;
    if (isObservable(source)) {
      // By the subscriber itself, so that a source which never pauses learns when it has enough.
      this.inner = source
        .pipe(tap({ error: (error: unknown) => this.note(error) }))
        .subscribe(this.subscriber);
      return;
    }
    this.subscriber.next(source);
    this.subscriber.complete();
  }

  private fail(error: unknown): void {
    this.hasOutcome = true;
    this.note(error);
    this.subscriber.error(error);
  }

  private note(error: unknown): void {
    const { handler } = this;
    const { failure } = handler;
    if (!failure || failure.error !== error) {
      const { level } = this;
      handler.failure = { error, level, first: failure?.first ?? { error, level } };
    }
  }
}
