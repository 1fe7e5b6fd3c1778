export * from './openai.factory.js';
export type * from './interfaces/openai-options.interface.js';
export { toChatCompletionsBody } from './chat-completions.encoder.js';
export { decodeChatCompletion } from './completion.decoder.js';
