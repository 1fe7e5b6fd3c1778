export * from './scripted.js';
export * from './scripted.model.js';
export type * from './interfaces/scripted-turn.interface.js';
export * from './call-tool.js';
