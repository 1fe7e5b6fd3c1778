import type { ToolOptions } from './tool-options.interface.js';

/** What `@Tool()` stores about a method. */
export interface ToolDeclaration {
  readonly methodName: string | symbol;
  readonly options: ToolOptions;
  /**
   * The functions in which other decorators may have left metadata: the method as `@Tool()` saw it,
   * and the one that stood on the prototype then. Legacy decorators define the property only at the
   * end, so the latter is still the function as it was written.
   */
  readonly seen: readonly object[];
}
