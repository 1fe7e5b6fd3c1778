import type { ModelTraits } from '../../profile/model-traits.js';

export interface Encoding {
  readonly traits: ModelTraits;
  /** Of the request; names that the model made up are none of them. */
  readonly toolNames: ReadonlySet<string>;
}
