import { Observable, Subscriber, type Observer, type Operator, type Subscription } from 'rxjs';
import { isThenable, toPromise } from '../utils/is-thenable.js';

type Next<T> = (value: T) => unknown;

/**
 * An Observable whose consumers cannot harm its source: what they throw, or reject with, is reported.
 * RxJS itself throws it in a timer, which ends the process. The same holds for what `pipe()` makes of it.
 */
export class IsolatedObservable<T> extends Observable<T> {
  constructor(
    protected readonly report: (error: unknown) => void,
    subscribe?: (subscriber: Subscriber<T>) => () => void,
  ) {
    super(subscribe);
  }

  override subscribe(observer?: Partial<Observer<T>> | Next<T> | null): Subscription {
    // An operator hands the errors of its own function on to its own subscriber.
    if (observer instanceof Subscriber) return super.subscribe(observer);
    const { next, error, complete } =
      typeof observer === 'function' ? { next: observer } : bound(observer ?? {});
    return super.subscribe({
      next: (value) => this.isolate(next, value),
      error: error ?? this.report,
      complete,
    });
  }

  override lift<R>(operator?: Operator<T, R>): Observable<R> {
    const lifted = new IsolatedObservable<R>(this.report);
    // oxlint-disable-next-line typescript/no-deprecated -- how RxJS 7 itself derives an Observable
    Object.assign(lifted, { source: this, operator });
    return lifted;
  }

  /** Calls a listener, whatever it does. */
  protected isolate<V>(listener: Next<V> | undefined, value: V): void {
    try {
      const returned = listener?.(value);
      if (isThenable(returned)) toPromise(returned).then(undefined, this.report);
    } catch (error) {
      this.report(error);
    }
  }
}

function bound<T>(observer: Partial<Observer<T>>): {
  next?: Next<T>;
  error?: Observer<T>['error'];
  complete?: Observer<T>['complete'];
} {
  return {
    next: observer.next?.bind(observer),
    error: observer.error?.bind(observer),
    complete: observer.complete?.bind(observer),
  };
}
