import type { CanActivate, ExceptionFilter, NestInterceptor, PipeTransform } from '@nestjs/common';

/** The enhancers of a tool, constructed, in the order in which Nest runs them. */
export interface Enhancers {
  readonly guards: readonly CanActivate[];
  readonly interceptors: readonly NestInterceptor[];
  readonly pipes: readonly PipeTransform[];
  readonly filters: readonly ExceptionFilter[];
}
