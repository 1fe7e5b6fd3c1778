import type { WholeProfile } from '../../../profiles/profile.finder.js';

/** What the encoders of messages need to know. */
export interface MessageEncoding {
  readonly profile: WholeProfile;
  /** The names of the tools of the request. */
  readonly toolNames: ReadonlySet<string>;
}

/** A message as it is sent. */
export type WireRequestMessage = Readonly<Record<string, unknown>>;
