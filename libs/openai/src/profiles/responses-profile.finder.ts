import { ChatModelException } from 'nestjs-agent-tools';
import type { LackingSettings } from 'nestjs-agent-tools/model-kit';
import { ProfileFinder, type WholeProfile } from './profile.finder.js';
import type { OpenAIResponsesOptions } from '../interfaces/openai-responses-options.interface.js';
import type {
  ResponsesProfile,
  ResponsesTraits,
} from './interfaces/responses-profile.interface.js';
import { RESPONSES_TRAITS } from './responses-traits.js';

const LACKING: LackingSettings = {
  stop: 'the Responses API has no such option; `openai()`, for Chat Completions, has.',
  seed: 'the Responses API has no such option.',
  reasoningBudget: 'it does not count tokens of reasoning; use `reasoningEffort`.',
};
const SERVERS = new ProfileFinder(undefined);

/** Finds the profile of a server for the Responses API. It is made once for each model. */
export class ResponsesProfileFinder {
  private readonly profiles: ProfileFinder;
  private readonly name?: string;
  private readonly made = new WeakMap<WholeProfile, ResponsesProfile>();

  /** @throws ChatModelException if there is no such profile */
  constructor(
    { profile }: Pick<OpenAIResponsesOptions, 'profile'>,
    private readonly store: boolean,
  ) {
    if (typeof profile === 'string') {
      this.name = profile;
      traitsOf(profile);
    }
    this.profiles = new ProfileFinder(profile);
  }

  /** @throws ChatModelException if the server has no Responses API, or cannot store */
  find(baseURL: string | undefined): ResponsesProfile {
    const known = this.made.get(this.profiles.find(baseURL));
    if (known) return known;
    const name = this.name ?? SERVERS.find(baseURL).name;
    const traits = traitsOf(name);
    if (this.store && !traits.stores) {
      throw new ChatModelException(
        `openaiResponses({ store: true }): the servers of ${name} keep no answers. Leave \`store\` out; the ` +
          'whole conversation is sent in any case.',
      );
    }
    const profile = this.profiles.find(baseURL);
    const whole = { ...profile, ...traits, lacking: { ...profile.lacking, ...LACKING } };
    this.made.set(profile, whole);
    return whole;
  }
}

function traitsOf(name: string): ResponsesTraits {
  const traits = RESPONSES_TRAITS.get(name);
  if (traits) return traits;
  const names = [...RESPONSES_TRAITS.keys()].join(', ');
  throw new ChatModelException(
    `openaiResponses({ … }): "${name}" is not known to have the Responses API. Use openai({ … }), for Chat ` +
      `Completions, or one of these profiles: ${names}.`,
  );
}
