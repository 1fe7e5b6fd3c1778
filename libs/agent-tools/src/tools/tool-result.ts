import type { ToolResultContentPart } from '../models/interfaces/chat-message.interface.js';

/**
 * Returned by a tool method to set apart what the model reads from what the application gets: the
 * parts go to the model as they are, `value` only to events and results.
 *
 * ```ts
 * return new ToolResult([{ type: 'image', url }], { value: chart });
 * ```
 *
 * @publicApi
 */
export class ToolResult {
  readonly content: string | readonly ToolResultContentPart[];
  readonly value: unknown;

  constructor(
    content: string | readonly ToolResultContentPart[],
    options: { value?: unknown } = {},
  ) {
    this.content = content;
    this.value = options.value;
  }
}
