import {
  Catch,
  Inject,
  Injectable,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
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
import { Reflector } from '@nestjs/core';
import { tap, map } from 'rxjs';
import type { ContextView, Dependency, Probe, Sighting } from './probe.js';
import { ROLE, type MatrixRequest } from './roles.js';

export const KINDS = ['guard', 'interceptor', 'pipe', 'filter'] as const;
export type Kind = (typeof KINDS)[number];

export const SCOPES = [
  'singleton',
  'request-scoped',
  'transient',
  'request-scoped by its constructor',
  'request-scoped by a property',
  'instance',
] as const;
export type EnhancerScope = (typeof SCOPES)[number];

export type Enhancer = CanActivate & NestInterceptor & PipeTransform & ExceptionFilter;
/** What `@UseGuards()` and the like are given: a class, or an instance. */
export type EnhancerReference = Type<Enhancer> | Enhancer;

/** The tokens of what an enhancer depends on; no two cases have one in common. */
export interface DependencyTokens {
  readonly dependency: symbol;
  readonly scopedDependency: symbol;
}

export interface EnhancerOptions {
  readonly kind: Kind;
  readonly scope: EnhancerScope;
  readonly probe: Probe;
  readonly tokens: DependencyTokens;
  /** How it signs in the trail. */
  readonly label?: string;
  /** What a filter catches. */
  readonly catches?: readonly Type[];
}

export function createEnhancer({ scope, tokens, ...options }: EnhancerOptions): EnhancerReference {
  const type = CLASSES[options.kind](options) as Type<Enhancer>;
  if (scope === 'instance') return new type({ origin: INSTANCE_ORIGIN });
  Inject(tokens.dependency)(type, undefined, 0);
  if (scope === 'request-scoped by its constructor') {
    Inject(tokens.scopedDependency)(type, undefined, 1);
  }
  if (scope === 'request-scoped by a property') {
    Inject(tokens.scopedDependency)(type.prototype as object, 'scopedDependency');
  }
  Injectable({ scope: NEST_SCOPES[scope] ?? Scope.DEFAULT })(type);
  return type;
}

/** The origin of what the test itself gives to an instance. */
export const INSTANCE_ORIGIN = 'given by hand';

export function decoratorOf(
  kind: Kind,
  reference: EnhancerReference,
): ClassDecorator & MethodDecorator {
  switch (kind) {
    case 'guard':
      return UseGuards(reference);
    case 'interceptor':
      return UseInterceptors(reference);
    case 'pipe':
      return UsePipes(reference);
    case 'filter':
      return UseFilters(reference);
  }
}

const NEST_SCOPES: Partial<Record<EnhancerScope, Scope>> = {
  'request-scoped': Scope.REQUEST,
  transient: Scope.TRANSIENT,
};

type ClassOptions = Omit<EnhancerOptions, 'scope' | 'tokens'>;

const CLASSES: Record<Kind, (options: ClassOptions) => Type> = {
  guard: guardClass,
  interceptor: interceptorClass,
  pipe: pipeClass,
  filter: filterClass,
};

/** Without decorators: which dependencies are injected depends on the scope. */
abstract class Reporter {
  declare readonly scopedDependency?: Dependency;

  constructor(
    probe: Probe,
    private readonly dependency: Dependency | undefined,
    private readonly givenScoped: Dependency | undefined,
  ) {
    probe.constructions.set(this, dependency?.origin);
  }

  /** A static way: a placeholder has no fields, not even the probe. */
  static report(probe: Probe, reporter: Reporter, view: Sighting['view']): void {
    probe.sightings.push({
      instance: reporter,
      origin: reporter.dependency?.origin,
      scopedOrigin: (reporter.scopedDependency ?? reporter.givenScoped)?.origin,
      view,
    });
  }
}

function guardClass({ probe, label = 'guard' }: ClassOptions): Type {
  return class MatrixGuard extends Reporter implements CanActivate {
    constructor(dependency?: Dependency, scoped?: Dependency) {
      super(probe, dependency, scoped);
    }

    canActivate(context: ExecutionContext): boolean {
      const view = viewOf(context);
      probe.trail.push(label);
      Reporter.report(probe, this, view);
      const { roles } = context.switchToHttp().getRequest<MatrixRequest>();
      return [view.ofMethod, view.ofClass].every((role) => roles.includes(role as string));
    }
  };
}

function interceptorClass({ probe, label = 'interceptor' }: ClassOptions): Type {
  return class MatrixInterceptor extends Reporter implements NestInterceptor {
    constructor(dependency?: Dependency, scoped?: Dependency) {
      super(probe, dependency, scoped);
    }

    intercept(context: ExecutionContext, next: CallHandler) {
      probe.trail.push(`${label} before`);
      Reporter.report(probe, this, viewOf(context));
      return next.handle().pipe(
        tap(() => probe.trail.push(`${label} after`)),
        map((value) => `[${String(value)}]`),
      );
    }
  };
}

function pipeClass({ probe, label = 'pipe' }: ClassOptions): Type {
  return class MatrixPipe extends Reporter implements PipeTransform {
    constructor(dependency?: Dependency, scoped?: Dependency) {
      super(probe, dependency, scoped);
    }

    transform(value: unknown, { type, data, metatype }: ArgumentMetadata) {
      probe.trail.push(label);
      Reporter.report(probe, this, { type, data, metatype: metatype?.name });
      return `${String(value)}!`;
    }
  };
}

function filterClass({ probe, label = 'filter', catches = [] }: ClassOptions): Type {
  class MatrixFilter extends Reporter implements ExceptionFilter {
    constructor(dependency?: Dependency, scoped?: Dependency) {
      super(probe, dependency, scoped);
    }

    catch(error: unknown, host: ArgumentsHost) {
      probe.trail.push(label);
      Reporter.report(probe, this, viewOf(host as ExecutionContext));
      return `${label} caught ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  // As a call: with decorators of its own, the class would get types of its parameters to inject.
  Catch(...catches)(MatrixFilter);
  return MatrixFilter;
}

function viewOf(context: ExecutionContext): ContextView {
  const reflector = new Reflector();
  return {
    type: context.getType<string>(),
    target: context.getClass(),
    ofMethod: reflector.get<unknown>(ROLE, context.getHandler()),
    ofClass: reflector.get<unknown>(ROLE, context.getClass()),
  };
}
