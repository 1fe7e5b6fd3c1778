export * from './from-langchain.factory.js';
export type * from './interfaces/langchain-model.interface.js';
export type * from './interfaces/langchain-options.interface.js';
