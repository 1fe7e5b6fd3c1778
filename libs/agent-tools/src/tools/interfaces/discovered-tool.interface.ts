import type { Type } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import type { ToolOptions } from './tool-options.interface.js';
import type { ToolParameter } from './tool-parameter.interface.js';

/** Nest does not export the class `InstanceWrapper` from its root. */
export type ProviderWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** A `@Tool` method on a provider, as found: described and bound by later steps. */
export interface DiscoveredTool {
  /** The provider; undefined for a tool that was registered at run time. */
  readonly wrapper?: ProviderWrapper;
  /** Read at each call, never before the first. */
  readonly instance: () => object;
  /** The class of the provider; `getClass()` of the execution context. */
  readonly hostClass: Type<object>;
  readonly methodName: string | symbol;
  /** The declared method itself; `getHandler()` of the execution context. */
  readonly handler: (...args: never[]) => unknown;
  readonly options: ToolOptions;
  readonly parameters: readonly ToolParameter[];
}

/**
 * Something that stops the application from starting.
 *
 * @publicApi
 */
export interface ToolProblem {
  readonly className: string;
  readonly methodName: string;
  /** What is wrong and what to write instead. */
  readonly message: string;
}
