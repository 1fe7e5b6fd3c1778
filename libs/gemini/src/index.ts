export * from './gemini.factory.js';
export type * from './interfaces/gemini-options.interface.js';
export type * from './interfaces/vertex-options.interface.js';
export { toGeminiBody } from './request/generate-content.encoder.js';
export { decodeGeminiAnswer } from './answer/decode-gemini-answer.js';
