export * from './scripted.js';
export * from './scripted.model.js';
export type {
  ScriptedAnswer,
  ScriptedCall,
  ScriptedTurn,
} from './interfaces/scripted-turn.interface.js';
export * from './call-tool.js';
