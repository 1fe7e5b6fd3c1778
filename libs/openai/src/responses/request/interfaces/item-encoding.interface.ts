import type { ResponsesProfile } from '../../../profiles/interfaces/responses-profile.interface.js';

/** What the encoders of items need to know. */
export interface ItemEncoding {
  readonly profile: ResponsesProfile;
  /** The names of the tools of the request. */
  readonly toolNames: ReadonlySet<string>;
  /** Whether the server keeps the answers. */
  readonly store: boolean;
}

/** An item as it is sent or came. */
export type WireItem = Readonly<Record<string, unknown>>;

/** A part of a turn of the model on its way to an item. */
export interface TurnItem {
  /** The place in the answer that it came from. */
  readonly index?: number;
  readonly type: 'message' | 'reasoning' | 'call' | 'other';
  /** @param ids whether the server knows the turn by its ids */
  readonly encode: (ids: boolean) => WireItem;
}
