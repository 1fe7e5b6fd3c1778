import type { AiSdkLanguageModel } from './ai-sdk-language-model.interface.js';

/** What a part of a prompt may carry for its provider. */
export type ProviderOptions = Readonly<Record<string, unknown>>;

/** A part of a message. Which fields it has depends on its type and the specification. */
export interface SdkPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface SdkMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly SdkPart[];
}

/** What a model is called with. The specifications only differ in the parts of messages. */
export interface SdkCallOptions {
  readonly prompt: readonly SdkMessage[];
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stopSequences?: readonly string[];
  readonly seed?: number;
  readonly responseFormat?: object;
  readonly reasoning?: string;
  readonly tools?: readonly SdkPart[];
  readonly toolChoice?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly providerOptions?: ProviderOptions;
  readonly abortSignal?: AbortSignal;
}

/** The model as it is called. */
export interface CallableModel extends Omit<AiSdkLanguageModel, 'doGenerate' | 'doStream'> {
  doGenerate(options: SdkCallOptions): PromiseLike<unknown>;
  doStream(options: SdkCallOptions): PromiseLike<unknown>;
}
