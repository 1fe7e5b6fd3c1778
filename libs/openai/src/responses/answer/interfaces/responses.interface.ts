/**
 * What servers really send. Nothing is certain to be there or of any type, so each value is checked
 * where it is read.
 */
export interface WireEvent {
  readonly type?: unknown;
  readonly response?: unknown;
  readonly item?: unknown;
  readonly item_id?: unknown;
  readonly output_index?: unknown;
  readonly content_index?: unknown;
  readonly summary_index?: unknown;
  readonly part?: unknown;
  readonly delta?: unknown;
  readonly text?: unknown;
  readonly refusal?: unknown;
  readonly arguments?: unknown;
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

export interface WireResponse {
  readonly object?: unknown;
  readonly status?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly incomplete_details?: unknown;
  readonly usage?: unknown;
}

export interface WireOutputItem {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly call_id?: unknown;
  readonly name?: unknown;
  readonly namespace?: unknown;
  readonly arguments?: unknown;
  readonly content?: unknown;
  readonly summary?: unknown;
  readonly phase?: unknown;
}

export interface WireContentPart {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly refusal?: unknown;
}
