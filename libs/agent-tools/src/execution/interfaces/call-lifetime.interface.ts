/** What a pipeline needs to know about the time that its call has. */
export interface CallLifetime {
  readonly aborted: boolean;
  /**
   * Runs the teardown when the call is given up, because its time or its run is over. One at a time; the
   * latest counts.
   */
  whenAborted(teardown: ((isTimedOut: boolean) => void) | undefined): void;
}
