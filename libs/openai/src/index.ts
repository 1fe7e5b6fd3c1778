export * from './chat-completions/openai.factory.js';
export type * from './chat-completions/interfaces/openai-options.interface.js';
export type * from './profiles/openai-profile.interface.js';
export type { ProfileOption } from './profiles/profile.finder.js';
export { toChatCompletionsBody } from './chat-completions/chat-completions.encoder.js';
export { decodeChatCompletion } from './chat-completions/completion.decoder.js';
