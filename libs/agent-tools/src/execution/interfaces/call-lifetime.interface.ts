/** What a pipeline needs to know about the time that its call has. */
export interface CallLifetime {
  readonly aborted: boolean;
  /** Runs the teardown when the call is given up. One at a time; the latest counts. */
  whenAborted(teardown: () => void): void;
}
