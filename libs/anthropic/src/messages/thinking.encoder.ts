import type { ChatSettings } from 'nestjs-agent-tools';
import { findClaudeModel } from '../models/claude-model.js';
import type { WireFields } from './interfaces/wire-request.interface.js';

/** The field that says whether the model thinks, if something is said. */
export function encodeThinking(
  model: string,
  { reasoningBudget: budget, reasoningEffort: effort }: ChatSettings,
): WireFields | undefined {
  if (budget !== undefined) {
    return budget === 0 ? { type: 'disabled' } : { type: 'enabled', budget_tokens: budget };
  }
  if (effort === undefined) return undefined;
  if (effort === 'none') return { type: 'disabled' };
  return findClaudeModel(model).adaptive ? { type: 'adaptive' } : undefined;
}

/** Anthropic has no word for less than little. */
export function encodeEffort({ reasoningEffort: effort }: ChatSettings): string | undefined {
  if (effort === 'none') return undefined;
  return effort === 'minimal' ? 'low' : effort;
}

/** Whether the model thinks, as far as the request says so. */
export function isThinkingOn(thinking: unknown): boolean {
  if (typeof thinking !== 'object' || thinking === null) return false;
  return 'type' in thinking && thinking.type !== 'disabled';
}
