import type { PipeTransform, Type } from '@nestjs/common';
import type { InputValidator } from '../../arguments/input.validator.js';
import type { HostCheck } from '../enhancers/host.check.js';
import type { HostModule } from '../enhancers/enhancer.resolver.js';
import type { MiddlewareChain } from '../pipeline/middleware.chain.js';
import type { ParameterBinder } from '../pipeline/parameter.binder.js';
import type { EnhancerSources, Enhancers } from './enhancers.interface.js';
import type { InstanceSource, ScopedSource } from './instance-source.interface.js';

/** What is known about a tool before its first call. */
export interface PipelinePlan {
  readonly module: HostModule;
  readonly hostClass: Type;
  readonly handler: (...args: never[]) => unknown;
  readonly methodName: string | symbol;
  /**
   * Of a host with one instance. Read at each call: a JS proxy must not be touched before, and tests
   * replace instances.
   */
  readonly instance: () => object;
  /** Refuses a host that is another one than was looked at. */
  readonly check: HostCheck;
  /** Of any other host. */
  readonly scopedHost?: ScopedSource | undefined;
  /** Undefined if the application has none. */
  readonly middleware: MiddlewareChain | undefined;
  readonly validator: InputValidator;
  readonly parameters: ParameterBinder;
  /** Of the class and the method. */
  readonly enhancers: EnhancerSources;
  /** Those of each parameter, in the order of the binder's parameters. */
  readonly ownPipes: readonly (readonly InstanceSource<PipeTransform>[])[];
}

/** All instances that one call needs. */
export interface PipelineInstances extends Enhancers {
  /** Undefined for a host with one instance. */
  readonly host: object | undefined;
  readonly ownPipes: readonly (readonly PipeTransform[])[];
}
