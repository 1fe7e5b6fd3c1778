export * from './scripted.js';
export * from './models/scripted-chat.model.js';
export * from './models/recording-chat.model.js';
export type * from './interfaces/played-turn.interface.js';
export type {
  ScriptedAnswer,
  ScriptedCall,
  ScriptedTurn,
} from './interfaces/scripted-turn.interface.js';
export * from './from-function.js';
export * from './models/function-chat.model.js';
export type * from './interfaces/function-answer.interface.js';
export * from './forbid-real-models.js';
export type * from './interfaces/forbid-real-models.interface.js';
export * from './call-tool.js';
export * from './exercise-all.js';
export * from './models/exercise-all-chat.model.js';
export type * from './interfaces/exercise-all-options.interface.js';
export * from './from-chunks.js';
export type * from './interfaces/from-chunks.interface.js';
export * from './record-traffic.js';
export * from './replay-traffic.js';
export type * from './interfaces/traffic.interface.js';
