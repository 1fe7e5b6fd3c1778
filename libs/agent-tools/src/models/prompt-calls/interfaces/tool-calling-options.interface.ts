/**
 * How a model calls tools.
 *
 * @publicApi
 */
export interface ToolCallingOptions {
  /**
   * `native`: by the fields that its server has for calls. `prompt`: for models without such fields.
   * The tools are described in the system prompt, earlier calls and results are told as text, and
   * calls are read from the text of the answer.
   *
   * @default 'native'
   */
  readonly toolCalling?: 'native' | 'prompt';
  /**
   * Whether calls are taken from the text of an answer that has no native ones, for local models that
   * write them so: `{"name": …, "arguments": {…}}` as the whole answer, or in `<tool_call>`. Of no effect
   * with `toolCalling: 'prompt'`, which reads them in any case.
   *
   * @default false
   */
  readonly salvage?: boolean;
}
