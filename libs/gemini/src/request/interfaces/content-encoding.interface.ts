/** What the encoders of contents need to know. */
export interface ContentEncoding {
  readonly model: string;
  /** The names of the tools of the request. */
  readonly toolNames: ReadonlySet<string>;
  readonly callIds: boolean;
  /** Told if calls are sent without a signature to a model that needs one. */
  readonly onUnsigned: () => void;
}

/** A part as it is sent. */
export type WireRequestPart = Readonly<Record<string, unknown>>;

/** One turn as it is sent. */
export interface WireRequestContent {
  readonly role: 'user' | 'model';
  readonly parts: readonly WireRequestPart[];
}
