import { ChatModelException } from '../exceptions/chat-model.exception.js';
import type { ChatSettings } from '../interfaces/chat-settings.interface.js';

/**
 * The settings that a provider lacks, each with why, or what to do in place of it.
 *
 * @publicApi
 */
export type LackingSettings = Readonly<Partial<Record<keyof ChatSettings, string>>>;

/**
 * Refuses settings that a provider lacks, or whose value no provider takes. Silence would leave the
 * application with a model that does not do what its code says.
 *
 * @param label Which model, for the exception.
 * @throws ChatModelException that names all of them
 * @publicApi
 */
export function checkSettings(
  label: string,
  settings: ChatSettings,
  lacking: LackingSettings = {},
): void {
  const problems = [...lacks(settings, lacking), ...invalid(settings)];
  if (problems.length > 0) {
    throw new ChatModelException(`${label} cannot be set like this: ${problems.join(' ')}`);
  }
}

function lacks(settings: ChatSettings, lacking: LackingSettings): string[] {
  return (Object.entries(lacking) as [keyof ChatSettings, string][])
    .filter(([name]) => settings[name] !== undefined)
    .map(([name, reason]) => `\`${name}\`: ${reason}`);
}

const RANGES = [
  ['temperature', 0, 'a number from 0', Number.isFinite],
  ['topP', 0, 'a number from 0 to 1', (value: number) => value <= 1],
  ['maxTokens', 1, 'a whole number from 1', Number.isSafeInteger],
  ['seed', -Number.MAX_SAFE_INTEGER, 'a whole number', Number.isSafeInteger],
  ['reasoningBudget', 0, 'a whole number from 0', Number.isSafeInteger],
] as const;

function invalid(settings: ChatSettings): string[] {
  const problems: string[] = [];
  for (const [name, least, expected, isValid] of RANGES) {
    const value: unknown = settings[name];
    if (value === undefined) continue;
    if (typeof value === 'number' && value >= least && isValid(value)) continue;
    problems.push(`\`${name}\` must be ${expected}, not ${JSON.stringify(value)}.`);
  }
  const { stop } = settings as { readonly stop?: unknown };
  if (stop !== undefined && !isTexts(stop)) problems.push('`stop` must be a list of texts.');
  return problems;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string' && text.length > 0);
}
