import type { EnhancerKind } from '../tool-metadata.accessor.js';
import type { ToolHost } from './tool-definition.interface.js';

/**
 * How long an instance lives: as long as the application (`singleton`), a run (`request`,
 * `transient`), or what the application's `ContextIdStrategy` says (`durable`).
 *
 * @publicApi
 */
export type InstanceScope = 'singleton' | 'request' | 'transient' | 'durable';

/**
 * An enhancer that runs for a tool.
 *
 * @publicApi
 */
export interface EnhancerExplanation {
  readonly kind: EnhancerKind;
  /** Name of its class; of a request-scoped factory the token. */
  readonly name: string;
  readonly level: 'global' | 'class' | 'method' | 'parameter';
  readonly scope: InstanceScope;
}

/**
 * Where a tool comes from and what runs around it.
 *
 * @publicApi
 */
export interface ToolExplanation {
  readonly name: string;
  readonly host: ToolHost;
  /** Of the host. */
  readonly scope: InstanceScope;
  /** What the input schema was made from: `zod`, `dto`, `parameters` … */
  readonly schemaSource: string;
  /** In the order in which they run; of the filters the first that catches the error answers. */
  readonly enhancers: readonly EnhancerExplanation[];
}

/**
 * A `@Tool()` that is no tool of this application.
 *
 * @publicApi
 */
export interface IgnoredTool {
  /** The class, or the token of a provider whose class is not known. */
  readonly className: string;
  /** Undefined if that is not known either. */
  readonly methodName?: string;
  readonly moduleName?: string;
  /** Why, and what to write instead. */
  readonly reason: string;
}

/**
 * What `ToolRegistry#explain()` tells.
 *
 * @publicApi
 */
export interface ToolsExplanation {
  /** Ordered by name. */
  readonly tools: readonly ToolExplanation[];
  readonly ignored: readonly IgnoredTool[];
}
