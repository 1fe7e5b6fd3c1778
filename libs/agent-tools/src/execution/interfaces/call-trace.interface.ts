/** What a pipeline leaves behind for the log: where a call was stopped. */
export interface CallTrace {
  /** Name of the guard that said no or threw. */
  guard?: string;
}
