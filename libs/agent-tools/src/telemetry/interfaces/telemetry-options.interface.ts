/**
 * What the OpenTelemetry spans of runs, model turns and tool calls say.
 *
 * @publicApi
 */
export interface TelemetryOptions {
  /**
   * Whether spans also say what was said: the messages, and the arguments and results of tool calls. Values
   * of fields whose names look like those of secrets are left out; texts are recorded as they are.
   *
   * @default false
   */
  readonly content?: boolean;
}
