/**
 * Opaque values of a provider, kept with the part that they belong to (a signature of a reasoning
 * block, for example) and sent back unchanged. Keyed by the provider's name. They survive
 * `JSON.stringify`, so a stored conversation can be continued.
 *
 * @publicApi
 */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * A piece of text.
 *
 * @publicApi
 */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly providerMetadata?: ProviderMetadata;
}

/**
 * An image.
 *
 * @publicApi
 */
export interface ImagePart {
  readonly type: 'image';
  /** An `https:` address or a `data:` URL. */
  readonly url: string;
  readonly providerMetadata?: ProviderMetadata;
}

/**
 * What the model thought before it answered.
 *
 * @publicApi
 */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  readonly providerMetadata?: ProviderMetadata;
}

/**
 * The model's wish to have a tool called.
 *
 * @publicApi
 */
export interface ToolCallPart {
  readonly type: 'tool-call';
  /** Unique within the conversation; the tool result names it. */
  readonly id: string;
  readonly name: string;
  /** The arguments as JSON text of an object, as the model wrote them. */
  readonly arguments: string;
  readonly providerMetadata?: ProviderMetadata;
}

/**
 * The result of one call, as the model reads it.
 *
 * @publicApi
 */
export interface ToolResultPart {
  readonly type: 'tool-result';
  readonly callId: string;
  readonly name: string;
  readonly status: ToolResultStatus;
  /** What the model reads. Never empty. */
  readonly content: string | readonly ToolResultContentPart[];
  readonly providerMetadata?: ProviderMetadata;
}

/**
 * A part of a tool result.
 *
 * @publicApi
 */
export type ToolResultContentPart = TextPart | ImagePart;

/**
 * How a tool call ended: `success`; `error` (unusable arguments, an exception, a timeout);
 * `denied` (a guard, 401 or 403); `interrupted` (the run was aborted before the call ended).
 *
 * @publicApi
 */
export type ToolResultStatus = 'success' | 'error' | 'denied' | 'interrupted';

/**
 * What the model is told first, by the application.
 *
 * @publicApi
 */
export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

/**
 * What the user says.
 *
 * @publicApi
 */
export interface UserMessage {
  readonly role: 'user';
  readonly content: string | readonly (TextPart | ImagePart)[];
}

/**
 * One turn of the model, its calls last.
 *
 * @publicApi
 */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantPart[];
}

/**
 * A part of a turn of the model.
 *
 * @publicApi
 */
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart;

/**
 * The results of all calls of one assistant message, in the order of the calls.
 *
 * @publicApi
 */
export interface ToolMessage {
  readonly role: 'tool';
  readonly content: readonly ToolResultPart[];
}

/**
 * One message of a conversation in a provider-neutral form. Plain data: it can be stored as JSON.
 *
 * @publicApi
 */
export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;
