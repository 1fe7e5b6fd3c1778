import type { WholeProfile } from '../profile.finder.js';

/** How a server differs from the others that speak the Responses API. */
export interface ResponsesTraits {
  /**
   * The form in which it takes its reasoning back: as encrypted content, which it must be asked for, as
   * text, or not at all as far as anybody knows.
   */
  readonly reasoningForm: 'encrypted' | 'text' | 'none';
  /**
   * Whether reasoning needs its id although nothing is stored. OpenAI and Azure look for an item with an
   * id in their store, and fail.
   */
  readonly reasoningIds: boolean;
  /** Whether it can keep answers. If not, it is not sent `store`, which some refuse. */
  readonly stores: boolean;
  /** DeepSeek refuses other items between the calls of a turn. */
  readonly callsLast?: boolean;
}

/** What `openaiResponses()` is told about its server. */
export type ResponsesProfile = WholeProfile & ResponsesTraits;
