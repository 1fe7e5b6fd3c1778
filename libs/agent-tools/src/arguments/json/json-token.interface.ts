/** One token of JSON, or of text that is nearly JSON. */
export interface JsonToken {
  readonly kind: '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'number' | 'literal' | 'name';
  /** How JSON writes it. Two texts mean the same if their tokens have the same `json`. */
  readonly json: string;
}
