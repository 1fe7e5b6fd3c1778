import type { ToolSchemaDialects } from '../../../schemas/dialects/interfaces/schema-dialect.interface.js';
import type { ChatModelException } from '../../exceptions/chat-model.exception.js';
import type { ChatRequest } from '../../interfaces/chat-model.interface.js';
import type { ChatDecoder } from './chat-decoder.interface.js';
import type { ChatTarget } from './chat-target.interface.js';
import type { ProviderProfile } from './provider-profile.interface.js';

/**
 * How servers of one kind are asked and answer. Pure: no network, no clock, nothing kept between two
 * requests but what is made from schemas.
 *
 * @publicApi
 */
export interface ChatProtocol {
  /** For messages to people: `Chat Completions`. */
  readonly title: string;
  /** The factory, for messages to people: `openai`. */
  readonly factory: string;
  /**
   * The names of the options of its factory, beside those of all models. Other options are refused.
   *
   * @default any option is taken
   */
  readonly optionNames?: readonly string[];
  /**
   * The provider behind a base URL.
   *
   * @param baseURL undefined if the application names none
   */
  profile(baseURL: string | undefined): ProviderProfile;
  /** How the servers take the input schemas of tools. */
  toolSchemas(target: ChatTarget): ToolSchemaDialects;
  /** The address to send to. */
  url(target: ChatTarget): string;
  /** The headers that a request needs beside those with credentials. @default none */
  headers?(target: ChatTarget): Readonly<Record<string, string>>;
  /** The headers with the key. */
  authorize(apiKey: string, target: ChatTarget): Readonly<Record<string, string>>;
  /**
   * The body to send, those of `settings.body` in it.
   *
   * @param warn Tells the application, once for each text, what is sent otherwise than asked.
   */
  encode(
    request: ChatRequest,
    target: ChatTarget,
    warn: (text: string) => void,
  ): Readonly<Record<string, unknown>>;
  /**
   * Made for each answer.
   *
   * @param toException makes the exception for an error that the provider tells within its answer
   */
  createDecoder(
    target: ChatTarget,
    toException: (body: unknown) => ChatModelException,
  ): ChatDecoder;
}
