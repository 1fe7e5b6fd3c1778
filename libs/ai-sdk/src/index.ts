export * from './from-ai-sdk.factory.js';
export type * from './interfaces/ai-sdk-language-model.interface.js';
export type * from './interfaces/ai-sdk-options.interface.js';
