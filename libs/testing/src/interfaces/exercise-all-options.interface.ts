/**
 * Options of `exerciseAll()`.
 *
 * @publicApi
 */
export interface ExerciseAllOptions {
  /** Whether optional properties are filled in as well, as far as a recursive schema ends. @default false */
  readonly optional?: boolean;
  /** One call per turn, in place of all calls in the first one. @default false */
  readonly oneByOne?: boolean;
  /**
   * Arguments by the name of a tool, where those made from its schema do not do (an order that must
   * exist, for example). A string is sent as it is. @default {}
   */
  readonly arguments?: Readonly<Record<string, unknown>>;
}
