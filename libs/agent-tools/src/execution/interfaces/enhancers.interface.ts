import type { CanActivate, ExceptionFilter, NestInterceptor, PipeTransform } from '@nestjs/common';
import type { InstanceSource } from './instance-source.interface.js';

/** The enhancers of a tool, constructed, in the order in which Nest runs them. */
export interface Enhancers {
  readonly guards: readonly CanActivate[];
  readonly interceptors: readonly NestInterceptor[];
  readonly pipes: readonly PipeTransform[];
  readonly filters: readonly ExceptionFilter[];
}

/** Where they come from. Filters stand in the order of their declaration here. */
export type EnhancerSources = {
  readonly [Kind in keyof Enhancers]: readonly InstanceSource<Enhancers[Kind][number]>[];
};
