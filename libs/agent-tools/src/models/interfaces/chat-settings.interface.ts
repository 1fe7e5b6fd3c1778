import type { ObjectJsonSchema } from '../../schemas/interfaces/json-schema.interface.js';

/**
 * What a model is set to. Given to the factory of a model, the module, an agent and a run; the nearest
 * wins, field by field (`headers` and `body` entry by entry). What a provider lacks is an error, or
 * has the fallback that its documentation names.
 *
 * @publicApi
 */
export interface ChatSettings {
  /** How much chance decides, from 0. @default the provider's own */
  readonly temperature?: number;
  /** The share of probability from which tokens are drawn, from 0 to 1. @default the provider's own */
  readonly topP?: number;
  /** The most tokens to generate, those of reasoning included. @default the provider's own */
  readonly maxTokens?: number;
  /** Texts at which the model stops; they are not part of the answer. @default none */
  readonly stop?: readonly string[];
  /** Makes answers repeatable, as far as the provider can. @default none */
  readonly seed?: number;
  /** Whether the model may ask for several calls at once. @default the provider's own */
  readonly parallelToolCalls?: boolean;
  /** How much the model reasons. @default the provider's own */
  readonly reasoningEffort?: ReasoningEffort;
  /** The most tokens of reasoning, for providers that count them. 0 turns reasoning off. @default the provider's own */
  readonly reasoningBudget?: number;
  /** The form of the answer. @default `{ type: 'text' }` */
  readonly responseFormat?: ResponseFormat;
  /** More headers of the request. They win over those that a library sets. @default {} */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * More fields of the request's body. They win over those that a library sets; `undefined` removes
   * one.
   *
   * @default {}
   */
  readonly body?: Readonly<Record<string, unknown>>;
  /**
   * The address of the provider's server. A request that leads to another server than its model gets
   * none of the model's credentials: give `apiKey` with it.
   *
   * @default the provider's own
   */
  readonly baseURL?: string;
  /** @default the environment's variable that the provider's documentation names */
  readonly apiKey?: string;
}

/**
 * How much a model reasons. Which words a model knows differs; another one is sent as it is.
 *
 * @publicApi
 */
export type ReasoningEffort =
  'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | (string & {});

/**
 * The form of an answer: text, any JSON object, or JSON of a schema.
 *
 * @publicApi
 */
export type ResponseFormat =
  | { readonly type: 'text' }
  | {
      readonly type: 'json';
      /** @default any object */
      readonly schema?: ObjectJsonSchema;
      /** Some providers want one. @default 'response' */
      readonly name?: string;
      readonly description?: string;
      /** Whether the model must follow the schema exactly, where the provider can see to it. @default true */
      readonly strict?: boolean;
    };
