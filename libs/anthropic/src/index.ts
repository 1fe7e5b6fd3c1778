export * from './anthropic.factory.js';
export type * from './messages/interfaces/anthropic-options.interface.js';
export { toAnthropicBody } from './messages/anthropic.encoder.js';
export { decodeAnthropicMessage } from './messages/message.decoder.js';
