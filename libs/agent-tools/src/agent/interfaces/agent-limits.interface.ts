/**
 * How far a run may go. Set for the module, an agent or a run; the nearest wins, field by field.
 *
 * @publicApi
 */
export interface AgentLimits {
  /**
   * Model turns with tool calls. At the limit there is one last turn in which no tool may be called.
   * @default 10
   */
  readonly steps?: number;
  /** Tool calls of the whole run; those beyond it get an error result. @default 50 */
  readonly toolCalls?: number;
  /**
   * Steps in a row in which every call failed; with the last of them the run fails.
   * @default 3
   */
  readonly failedSteps?: number;
  /** Calls of tools that do not exist which are answered with the names of those that do. @default 3 */
  readonly unknownTools?: number;
  /** Milliseconds after which the run is aborted. @default 120000 */
  readonly timeout?: number;
}
