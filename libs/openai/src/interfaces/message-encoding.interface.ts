/** What the encoders of messages need to know. */
export interface MessageEncoding {
  /** The field for the reasoning of messages with calls, if it is sent at all. */
  readonly reasoningField?: string;
  /** The names of the tools of the request. */
  readonly toolNames: ReadonlySet<string>;
}

/** A message as it is sent. */
export type WireRequestMessage = Readonly<Record<string, unknown>>;
