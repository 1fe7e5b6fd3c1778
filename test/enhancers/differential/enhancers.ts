import {
  Catch,
  Injectable,
  type ArgumentMetadata,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { isObservable, tap, type Observable } from 'rxjs';
import { Journal } from './journal.js';

export function describeError(error: unknown): string {
  return error instanceof Error ? `${error.constructor.name}: ${error.message}` : String(error);
}

type Answer = (context: ExecutionContext, journal: Journal) => unknown;

export function guard(name: string, answer: Answer = () => true): Type<CanActivate> {
  @Injectable()
  class NamedGuard implements CanActivate {
    constructor(private readonly journal: Journal) {}

    canActivate(context: ExecutionContext) {
      this.journal.record(`guard ${name}`);
      return answer(context, this.journal) as boolean;
    }
  }
  return NamedGuard;
}

type Around = (next: CallHandler, journal: Journal, context: ExecutionContext) => unknown;

/** Records that it is entered, and whatever passes on the way back. */
export function interceptor(
  name: string,
  around: Around = (next) => next.handle(),
): Type<NestInterceptor> {
  @Injectable()
  class NamedInterceptor implements NestInterceptor {
    constructor(private readonly journal: Journal) {}

    intercept(context: ExecutionContext, next: CallHandler) {
      this.journal.record(`> ${name}`);
      const result = around(next, this.journal, context);
      return (isObservable(result) ? this.watch(result) : result) as Observable<unknown>;
    }

    private watch(source: Observable<unknown>) {
      return source.pipe(
        tap({
          next: (value) => this.journal.record(`< ${name} ${String(value)}`),
          error: (error: unknown) => this.journal.record(`! ${name} ${describeError(error)}`),
        }),
      );
    }
  }
  return NamedInterceptor;
}

type Transform = (value: unknown, journal: Journal) => unknown;

export function pipe(name: string, transform: Transform = (value) => value): Type<PipeTransform> {
  @Injectable()
  class NamedPipe implements PipeTransform {
    constructor(private readonly journal: Journal) {}

    transform(value: unknown, { type, data, metatype }: ArgumentMetadata) {
      this.journal.record(
        `pipe ${name} ${type} ${data ?? '-'} ${metatype?.name}: ${String(value)}`,
      );
      return transform(value, this.journal);
    }
  }
  return NamedPipe;
}

type Handle = (error: unknown, host: ArgumentsHost, journal: Journal) => unknown;

export function filter(
  name: string,
  handle: Handle,
  ...types: Type<Error>[]
): Type<ExceptionFilter> {
  @Catch(...types)
  @Injectable()
  class NamedFilter implements ExceptionFilter {
    constructor(private readonly journal: Journal) {}

    catch(error: unknown, host: ArgumentsHost) {
      this.journal.record(`filter ${name} ${describeError(error)}`);
      return handle(error, host, this.journal);
    }
  }
  return NamedFilter;
}
