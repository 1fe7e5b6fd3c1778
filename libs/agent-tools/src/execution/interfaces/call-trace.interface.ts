/** What a pipeline leaves behind beside its result: how the call came to it. */
export interface CallTrace {
  /** Name of the guard that said no or threw. */
  guard?: string;
  /** Whether an exception filter answered in place of the tool. */
  isFiltered?: boolean;
}
