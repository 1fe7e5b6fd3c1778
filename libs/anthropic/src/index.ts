export * from './anthropic.factory.js';
export type * from './interfaces/anthropic-options.interface.js';
export { toAnthropicBody } from './request/anthropic.encoder.js';
export { decodeAnthropicMessage } from './answer/decode-anthropic-message.js';
