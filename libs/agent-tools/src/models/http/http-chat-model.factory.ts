import type { ChatModel } from '../interfaces/chat-model.interface.js';
import { withRetries } from '../retries/retried-chat.model.js';
import { HttpChatModel } from './http-chat.model.js';
import type { ChatProtocol } from './interfaces/chat-protocol.interface.js';
import type { HttpChatOptions } from './interfaces/http-chat-options.interface.js';

/**
 * A chat model behind an HTTP server, with retries, timeouts and keys, from a protocol: how the server
 * is asked, and how it answers. `openai()`, `anthropic()` and `gemini()` are made of it.
 *
 * @throws ChatModelException if an option is not of use
 * @publicApi
 */
export function createHttpChatModel(protocol: ChatProtocol, options: HttpChatOptions): ChatModel {
  return withRetries(new HttpChatModel(protocol, options), options.retry);
}
