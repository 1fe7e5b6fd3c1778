import type { ChatSettings } from 'nestjs-agent-tools';
import type { WholeProfile } from '../../profiles/profile.finder.js';

/** The fields that say how much the model reasons. */
export function encodeReasoningSettings(
  { reasoningEffort: effort, reasoningBudget: budget }: ChatSettings,
  { reasoning = 'effort' }: WholeProfile,
): Record<string, unknown> {
  if (reasoning === 'object') return encodeObject(effort, budget);
  if (effort === undefined) return {};
  if (reasoning === 'effort') return { reasoning_effort: effort };
  return effort === 'none'
    ? { thinking: { type: 'disabled' } }
    : { thinking: { type: 'enabled' }, reasoning_effort: effort };
}

/** OpenRouter takes an effort or a budget, not both; the budget says more. */
function encodeObject(effort?: string, budget?: number): Record<string, unknown> {
  if (budget !== undefined) {
    return { reasoning: budget === 0 ? { enabled: false } : { max_tokens: budget } };
  }
  return effort === undefined ? {} : { reasoning: { effort } };
}
