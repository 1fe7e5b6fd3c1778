import type { ResponsesProfileName } from '../interfaces/openai-responses-options.interface.js';
import type { ResponsesTraits } from './interfaces/responses-profile.interface.js';

const PLAIN: ResponsesTraits = { reasoningForm: 'none', reasoningIds: false, stores: false };

/** The providers that have the Responses API, as they document it or were seen to take it. */
export const RESPONSES_TRAITS: ReadonlyMap<string, ResponsesTraits> = new Map<
  ResponsesProfileName,
  ResponsesTraits
>([
  ['openai', { reasoningForm: 'encrypted', reasoningIds: false, stores: true }],
  ['azure', { reasoningForm: 'encrypted', reasoningIds: false, stores: true }],
  ['xai', { reasoningForm: 'encrypted', reasoningIds: true, stores: true }],
  ['openrouter', { reasoningForm: 'encrypted', reasoningIds: true, stores: false }],
  ['deepseek', { reasoningForm: 'text', reasoningIds: true, stores: false, callsLast: true }],
  ['groq', PLAIN],
  ['fireworks', { ...PLAIN, stores: true }],
  ['huggingface', PLAIN],
  ['ollama', PLAIN],
  ['vllm', PLAIN],
  ['lmstudio', PLAIN],
]);

/** OpenAI refuses to be asked for the encrypted reasoning of a model that has none. */
const WITHOUT_REASONING = /^(?:ft:)?(?:gpt-3|gpt-4|gpt-35|chatgpt|gpt-5(?:\.\d+)?-chat)/;

/** @param model its name, with the vendor before it or without */
export function canReason(model: string): boolean {
  return !WITHOUT_REASONING.test(model.slice(model.lastIndexOf('/') + 1).toLowerCase());
}
