import type { ToolCallResult } from './tool-call-result.interface.js';
import type { ToolCall } from '../tool-call.js';

/**
 * Stands around every tool call of the application and may change what goes in and what comes out. It
 * is given to `AgentToolsModule.forRoot({ toolMiddleware: [ … ] })`: the first of the list sees the
 * input first and the output last. `undefined` leaves a value as it is; what is thrown is an error of
 * the call.
 *
 * @publicApi
 */
export interface ToolMiddleware {
  /** After the guards, before the validation. */
  input?(input: unknown, call: ToolCall): unknown;
  /** What the tool gives, after interceptors and filters, before it is checked and converted. */
  output?(value: unknown, call: ToolCall): unknown;
  /** A value that the tool reports. One that cannot be changed (the method throws) is not reported. */
  progress?(value: unknown, call: ToolCall): unknown;
  /** Told how a call ended that was begun. What it throws is logged. */
  settled?(result: ToolCallResult, call: ToolCall): void;
}
