import type { ChatSettings } from '../interfaces/chat-settings.interface.js';

/**
 * The names of all settings.
 *
 * @publicApi
 */
export const SETTING_NAMES = [
  'temperature',
  'topP',
  'maxTokens',
  'stop',
  'seed',
  'parallelToolCalls',
  'reasoningEffort',
  'reasoningBudget',
  'responseFormat',
  'headers',
  'body',
  'baseURL',
  'apiKey',
] as const satisfies readonly (keyof ChatSettings)[];

/** For a setting that nobody knows. */
export const SETTING_REMEDY = 'What only its provider knows belongs into `body`.';
