import type { LackingSettings, ProviderProfile } from 'nestjs-agent-tools/model-kit';
import { findClaudeModel } from './claude-model.js';

const NO_SAMPLING = 'this model refuses it, as all do since Claude Opus 4.7; leave it out.';

/** Anthropic, for one of its models. */
export function profileOf(model: string): ProviderProfile {
  return {
    name: 'anthropic',
    baseURL: 'https://api.anthropic.com',
    hosts: ['anthropic.com'],
    apiKeyVariables: ['ANTHROPIC_API_KEY'],
    baseURLVariable: 'ANTHROPIC_BASE_URL',
    lacking: lackingOf(model),
  };
}

function lackingOf(model: string): LackingSettings {
  const { sampling } = findClaudeModel(model);
  return {
    seed: 'its API has no such option.',
    ...(!sampling && { temperature: NO_SAMPLING, topP: NO_SAMPLING }),
  };
}
