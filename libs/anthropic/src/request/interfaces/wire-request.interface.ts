/** A block of a message as it is sent. */
export interface WireBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A message as it is sent. */
export interface WireTurn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly WireBlock[];
}

/** Fields of a body. */
export type WireFields = Readonly<Record<string, unknown>>;
