/** Guards and interceptors that count their runs and instances, and keep nothing else of them. */
import {
  Inject,
  Injectable,
  Scope,
  type CallHandler,
  type CanActivate,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { map } from 'rxjs';

@Injectable()
export class Tally {
  private readonly counts = new Map<string, number>();
  private readonly maxima = new Map<string, number>();

  add(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  most(what: string, count: number): void {
    this.maxima.set(what, Math.max(this.maxima.get(what) ?? 0, count));
  }

  all(): Record<string, number> {
    return Object.fromEntries(this.counts);
  }

  highest(): Record<string, number> {
    return Object.fromEntries(this.maxima);
  }
}

@Injectable({ scope: Scope.TRANSIENT })
export class Notes {
  constructor(tally: Tally) {
    tally.add('notes');
  }
}

class CountingGuard implements CanActivate {
  constructor(
    private readonly tally: Tally,
    private readonly request: { readonly denied?: boolean },
  ) {
    tally.add('guard instance');
  }

  canActivate(): boolean {
    this.tally.add('guard');
    return !this.request.denied;
  }
}

@Injectable({ scope: Scope.REQUEST })
export class RequestGuard extends CountingGuard {
  constructor(tally: Tally, @Inject(REQUEST) request: object) {
    super(tally, request);
  }
}

@Injectable({ scope: Scope.REQUEST })
export class NotingGuard extends CountingGuard {
  constructor(
    tally: Tally,
    @Inject(REQUEST) request: object,
    readonly notes: Notes,
  ) {
    super(tally, request);
  }
}

@Injectable({ scope: Scope.REQUEST, durable: true })
export class DurableGuard extends CountingGuard {
  constructor(tally: Tally, @Inject(REQUEST) request: object) {
    super(tally, request);
  }
}

@Injectable({ scope: Scope.TRANSIENT })
export class TransientInterceptor implements NestInterceptor {
  constructor(private readonly tally: Tally) {
    tally.add('interceptor instance');
  }

  intercept(_context: unknown, next: CallHandler) {
    this.tally.add('interceptor');
    return next.handle().pipe(map((value: unknown) => value));
  }
}

@Injectable({ scope: Scope.TRANSIENT })
export class NotingInterceptor extends TransientInterceptor {
  constructor(
    tally: Tally,
    readonly notes: Notes,
  ) {
    super(tally);
  }
}

@Injectable()
export class StaticPipe implements PipeTransform {
  constructor(private readonly tally: Tally) {}

  transform(value: unknown): unknown {
    this.tally.add('pipe');
    return value;
  }
}
