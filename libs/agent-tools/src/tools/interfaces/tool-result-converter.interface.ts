import type { ToolResultContentPart } from '../../models/interfaces/chat-message.interface.js';
import type { ToolCall } from '../tool-call.js';
import type { ToolResult } from '../tool-result.js';

/**
 * Makes what the model reads of what a tool returns: shortens, formats, leaves out.
 *
 * ```ts
 * @Injectable()
 * export class OrderConverter implements ToolResultConverter {
 *   convert(order: Order) { return `${order.no}: ${order.state}`; }
 * }
 * ```
 *
 * @publicApi
 */
export interface ToolResultConverter<Value = unknown> {
  convert(value: Value, call: ToolCall): ConvertedResult | Promise<ConvertedResult>;
}

/**
 * A text, parts, or a `ToolResult`.
 *
 * @publicApi
 */
export type ConvertedResult = string | readonly ToolResultContentPart[] | ToolResult;
