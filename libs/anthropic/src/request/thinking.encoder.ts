import type { ChatSettings } from 'nestjs-agent-tools';
import { findClaudeModel } from '../profile/claude-model.js';
import type { WireFields, WireTurn } from './interfaces/wire-request.interface.js';

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

/**
 * Whether the results of calls are to be answered that no thinking has come before: those of another model,
 * or of this one without thinking. With a budget, Anthropic refuses such a turn.
 */
export function mustNotThink(turns: readonly WireTurn[]): boolean {
  const start = turns.findLastIndex(
    ({ role, content }) => role === 'user' && !content.some(({ type }) => type === 'tool_result'),
  );
  const answers = turns.slice(start + 1).filter(({ role }) => role === 'assistant');
  return answers.length > 0 && !answers.some(({ content }) => content.some(isThought));
}

function isThought({ type }: WireFields): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

/** Whether the model thinks, as far as the request says so. */
export function isThinkingOn(thinking: unknown): boolean {
  if (typeof thinking !== 'object' || thinking === null) return false;
  return 'type' in thinking && thinking.type !== 'disabled';
}
