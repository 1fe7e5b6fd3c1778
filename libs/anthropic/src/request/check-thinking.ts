import { ChatModelException, type ChatSettings } from 'nestjs-agent-tools';
import { findClaudeModel } from '../profile/claude-model.js';
import { encodeThinking, isThinkingOn } from './thinking.encoder.js';

const MIN_BUDGET = 1_024;

/** Those that say how to get there are no matter of the model. */
type ModelSettings = Omit<ChatSettings, 'apiKey' | 'headers'>;

/**
 * Refuses settings that do not go with this model, or not with each other.
 *
 * @throws ChatModelException that names all of them
 */
export function checkThinking(model: string, settings: ModelSettings): void {
  const problems = [...thinkingProblems(model, settings), ...samplingProblems(model, settings)];
  if (problems.length > 0) {
    throw new ChatModelException(
      `anthropic:${model} cannot be set like this: ${problems.join(' ')}`,
    );
  }
}

function* thinkingProblems(
  model: string,
  { reasoningBudget: budget, reasoningEffort: effort }: ModelSettings,
): Generator<string> {
  if (budget !== undefined && budget > 0 && budget < MIN_BUDGET) {
    yield `\`reasoningBudget\` must be 0 or at least ${MIN_BUDGET}, not ${budget}.`;
  }
  if (effort !== undefined && effort !== 'none' && !findClaudeModel(model).effort) {
    yield '`reasoningEffort`: this model has none; use `reasoningBudget`.';
  }
}

function* samplingProblems(model: string, settings: ModelSettings): Generator<string> {
  const { body = {}, temperature, topP } = settings;
  const thinking = 'thinking' in body ? body.thinking : encodeThinking(model, settings);
  if (!isThinkingOn(thinking)) return;
  const remedy = 'is refused while the model thinks; leave it out, or set `reasoningBudget: 0`.';
  if (temperature !== undefined) yield `\`temperature\` ${remedy}`;
  if (topP !== undefined) yield `\`topP\` ${remedy}`;
}
