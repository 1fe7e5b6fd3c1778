import { ChatModelException, type ChatSettings } from 'nestjs-agent-tools';
import { checkSettings, type LackingSettings } from 'nestjs-agent-tools/model-kit';
import type { AiSdkSpecification } from '../interfaces/ai-sdk-language-model.interface.js';

const LACKING: LackingSettings = {
  parallelToolCalls:
    'the AI SDK has no word for it; set it in `providerOptions` of fromAiSdk(), for example ' +
    '`{ openai: { parallelToolCalls: false } }`.',
  reasoningBudget:
    'the AI SDK has no word for it; set it in `providerOptions` of fromAiSdk(), for example ' +
    "`{ anthropic: { thinking: { type: 'enabled', budgetTokens: 2_000 } } }`.",
  body: 'the provider makes the body itself; use `providerOptions` of fromAiSdk(), or the `fetch` of the provider.',
  baseURL:
    'the provider knows the address; give it where the provider is made: `createOpenAI({ baseURL })`.',
  apiKey:
    'the provider holds the key; give it where the provider is made: `createOpenAI({ apiKey })`.',
};

const LACKING_BEFORE_V4: LackingSettings = {
  ...LACKING,
  reasoningEffort:
    'models of the specification V4 have it; set it in `providerOptions` of fromAiSdk(), for example ' +
    "`{ openai: { reasoningEffort: 'low' } }`, or update the provider's package.",
};

/** What to do about an option that nobody knows. */
export const OPTIONS_REMEDY =
  'What only its provider knows belongs into `providerOptions` of fromAiSdk().';

/** @throws ChatModelException for settings that cannot be handed to a model of the specification */
export function checkSdkSettings(
  label: string,
  settings: ChatSettings,
  specification: AiSdkSpecification,
): void {
  checkSettings(label, settings, specification === 'v4' ? LACKING : LACKING_BEFORE_V4);
  const { responseFormat } = settings;
  if (responseFormat?.type !== 'json' || responseFormat.strict !== false) return;
  throw new ChatModelException(
    `${label} cannot be set like this: \`responseFormat.strict\`: the AI SDK has no word for it; set it in ` +
      '`providerOptions` of fromAiSdk(), for example `{ openai: { strictJsonSchema: false } }`.',
  );
}
