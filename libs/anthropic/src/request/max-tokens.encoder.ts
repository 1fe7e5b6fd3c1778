import type { ChatSettings } from 'nestjs-agent-tools';
import { findClaudeModel } from '../profile/claude-model.js';

/** Anthropic counts thinking among the tokens of the answer, so a budget for it needs more of them. */
export function encodeMaxTokens(
  model: string,
  { maxTokens, reasoningBudget = 0 }: ChatSettings,
): number {
  if (maxTokens !== undefined && maxTokens > reasoningBudget) return maxTokens;
  return (maxTokens ?? findClaudeModel(model).maxTokens) + reasoningBudget;
}
