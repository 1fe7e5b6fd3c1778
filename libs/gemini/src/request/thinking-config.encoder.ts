import { ChatModelException, type ChatSettings } from 'nestjs-agent-tools';
import { hasThinkingLevels } from '../profile/model-traits.js';

type ReasoningSettings = Pick<ChatSettings, 'reasoningEffort' | 'reasoningBudget'>;

/** Gemini 3 cannot be kept from thinking; the least of it comes next. */
const LEVELS = new Map([
  ['none', 'MINIMAL'],
  ['minimal', 'MINIMAL'],
  ['low', 'LOW'],
  ['medium', 'MEDIUM'],
  ['high', 'HIGH'],
  ['xhigh', 'HIGH'],
]);

/** Those that Google's own endpoint for Chat Completions uses. */
const BUDGETS = new Map([
  ['none', 0],
  ['minimal', 1_024],
  ['low', 1_024],
  ['medium', 8_192],
  ['high', 24_576],
  ['xhigh', 24_576],
]);

/** @throws ChatModelException if the two contradict, or the model does not know the effort */
export function encodeThinkingConfig(
  settings: ReasoningSettings,
  model: string,
  includeThoughts: boolean | undefined,
): Record<string, unknown> | undefined {
  checkReasoning(settings, model);
  const amount = encodeAmount(settings, model);
  const isOn = amount && amount.thinkingBudget !== 0 && settings.reasoningEffort !== 'none';
  const include = includeThoughts ?? (isOn || undefined);
  if (!amount && include === undefined) return undefined;
  return { ...amount, ...(include !== undefined && { includeThoughts: include }) };
}

/** @throws ChatModelException if the two contradict, or the model does not know the effort */
export function checkReasoning(
  { reasoningEffort: effort, reasoningBudget: budget }: ReasoningSettings,
  model: string,
): void {
  if (effort !== undefined && budget !== undefined) {
    throw new ChatModelException(
      `gemini({ model: '${model}' }) cannot be set like this: \`reasoningEffort\` and \`reasoningBudget\` say ` +
        'the same in two ways. Give one of them.',
    );
  }
  if (effort === undefined || hasThinkingLevels(model) || BUDGETS.has(effort)) return;
  throw new ChatModelException(
    `gemini({ model: '${model}' }) does not know the \`reasoningEffort\` "${effort}". Known are: ` +
      `${[...BUDGETS.keys()].join(', ')}. Or give a \`reasoningBudget\` in tokens.`,
  );
}

function encodeAmount(
  { reasoningEffort: effort, reasoningBudget: budget }: ReasoningSettings,
  model: string,
): { thinkingBudget?: number; thinkingLevel?: string } | undefined {
  if (budget !== undefined) return { thinkingBudget: budget };
  if (effort === undefined) return undefined;
  return hasThinkingLevels(model)
    ? { thinkingLevel: LEVELS.get(effort) ?? effort }
    : { thinkingBudget: BUDGETS.get(effort) };
}
