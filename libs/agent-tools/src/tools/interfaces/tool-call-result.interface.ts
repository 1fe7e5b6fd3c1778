import type {
  ToolResultContentPart,
  ToolResultStatus,
} from '../../models/interfaces/chat-message.interface.js';

/**
 * How a tool call ended.
 *
 * @publicApi
 */
export interface ToolCallResult {
  readonly callId: string;
  readonly name: string;
  readonly status: ToolResultStatus;
  /** What the model reads. Never empty, and free of details of unexpected errors. */
  readonly content: string | readonly ToolResultContentPart[];
  /**
   * What the method returned, after interceptors, filters, middleware and the `outputSchema`; of a
   * `ToolResult` its `value`. Undefined unless the status is `success`.
   */
  readonly value?: unknown;
  /** What was thrown, for logs and tests. It never goes to a model or a browser. */
  readonly error?: unknown;
  /** Milliseconds. */
  readonly duration: number;
}
