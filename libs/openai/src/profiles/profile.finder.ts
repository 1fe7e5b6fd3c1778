import { ChatModelException, isHostOf } from 'nestjs-agent-tools';
import type { OpenAIProfile, OpenAIProfileName } from './openai-profile.interface.js';
import { OPENAI_PROFILES } from './openai-profiles.js';
import { cachedDialects, OPENAI_SCHEMAS } from './tool-schemas.js';

/** A name, or what differs from the profile that the base URL leads to. */
export type ProfileOption = OpenAIProfileName | Partial<OpenAIProfile>;

/** What `openai()` is told about its server, all of it. */
export type WholeProfile = OpenAIProfile & Required<Pick<OpenAIProfile, 'toolSchemas'>>;

const OPENAI = whole(OPENAI_PROFILES[0]);
const KNOWN = OPENAI_PROFILES.map(whole);
/** A server that nobody knows is asked as most of them are. */
const UNKNOWN = whole({ name: 'openai' });

/** Finds the profile of a server. It is made once for each model. */
export class ProfileFinder {
  private readonly given: (base: WholeProfile) => WholeProfile;

  /** @throws ChatModelException if there is no profile of that name */
  constructor(option: ProfileOption | undefined) {
    if (typeof option === 'string') {
      const named = byName(option);
      this.given = () => named;
    } else if (option) {
      const own = {
        ...option,
        ...(option.toolSchemas && { toolSchemas: cachedDialects(option.toolSchemas) }),
      };
      this.given = (base) => whole({ ...base, ...own });
    } else {
      this.given = (base) => base;
    }
  }

  find(baseURL: string | undefined): WholeProfile {
    return this.given(baseURL ? byServer(baseURL) : OPENAI);
  }
}

function byName(name: string): WholeProfile {
  const profile = KNOWN.find((known) => known.name === name);
  if (profile) return profile;
  const names = KNOWN.map((known) => known.name).join(', ');
  throw new ChatModelException(
    `openai({ profile: '${name}' }): there is no such profile. Known are: ${names}. For another server give ` +
      '`baseURL`, and in `profile` what differs.',
  );
}

function byServer(baseURL: string): WholeProfile {
  const port = URL.canParse(baseURL) ? Number(new URL(baseURL).port) : 0;
  return (
    KNOWN.find(({ hosts }) => isHostOf(baseURL, hosts)) ??
    KNOWN.find(({ ports }) => ports?.includes(port)) ??
    UNKNOWN
  );
}

function whole(profile: OpenAIProfile): WholeProfile {
  const lacking = {
    ...(profile.reasoning !== 'object' && {
      reasoningBudget: 'it does not count tokens of reasoning; use `reasoningEffort`.',
    }),
    ...profile.lacking,
  };
  return { toolSchemas: OPENAI_SCHEMAS, ...profile, lacking };
}
