import type { ChatModel } from '../interfaces/chat-model.interface.js';
import type { ChatModelMiddleware } from '../middleware/interfaces/chat-model-middleware.interface.js';
import { withMiddleware } from '../middleware/with-middleware.js';
import { withToolCalling } from '../prompt-calls/with-tool-calling.js';
import { withRetries } from '../retries/with-retries.js';
import { HttpChatModel } from './http-chat.model.js';
import type { ChatProtocol } from './interfaces/chat-protocol.interface.js';
import type { HttpChatOptions } from './interfaces/http-chat-options.interface.js';

/**
 * A chat model behind an HTTP server, with retries, timeouts and keys, from a protocol: how the server
 * is asked, and how it answers. `openai()`, `anthropic()` and `gemini()` are made of it.
 *
 * @param middleware What the protocol needs around each request, retries included.
 * @throws TypeError for an option that there is not, RangeError for a number that is of no use,
 * ChatModelException if the provider lacks a setting
 * @publicApi
 */
export function createHttpChatModel(
  protocol: ChatProtocol,
  options: HttpChatOptions,
  ...middleware: readonly ChatModelMiddleware[]
): ChatModel {
  const model = withRetries(new HttpChatModel(protocol, options), options.retry);
  return withToolCalling(withMiddleware(model, ...middleware), options);
}
