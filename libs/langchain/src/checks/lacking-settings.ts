import type { LackingSettings } from 'nestjs-agent-tools/model-kit';
import type { ModelTraits } from '../profile/model-traits.js';

const ON_MODEL = 'set it on the LangChain model.';

/** LangChain's providers give these other names, or take them only when a model is made. */
const LACKING: LackingSettings = {
  temperature: ON_MODEL,
  topP: ON_MODEL,
  maxTokens: ON_MODEL,
  seed: ON_MODEL,
  reasoningEffort: ON_MODEL,
  reasoningBudget: ON_MODEL,
  responseFormat: ON_MODEL,
  headers: ON_MODEL,
  body: ON_MODEL,
  baseURL: ON_MODEL,
  apiKey: ON_MODEL,
};

/** What to do about an option that nobody knows. */
export const OPTIONS_REMEDY =
  'What only its provider knows is set on the LangChain model, or given as `callOptions` of fromLangChain().';

export function lackingSettings({ isOpenAI, lacksStop }: ModelTraits): LackingSettings {
  return {
    ...LACKING,
    ...(!isOpenAI && {
      parallelToolCalls:
        'LangChain has it as a call option of OpenAI only; give what the provider has for it as `callOptions`.',
    }),
    ...(lacksStop && {
      stop: 'this LangChain model takes none with a request; if its provider has them, set them on the LangChain model.',
    }),
  };
}
