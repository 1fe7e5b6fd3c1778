import type { ParsedArguments } from '../../arguments/parse-arguments.js';

/** A call as it comes from a model or from code, its arguments read. */
export interface ToolCallRequest {
  readonly id: string;
  readonly name: string;
  /** As they came, for observers. */
  readonly raw: unknown;
  readonly arguments: ParsedArguments;
}
