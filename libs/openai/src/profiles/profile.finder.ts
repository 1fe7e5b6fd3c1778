import { ChatModelException } from 'nestjs-agent-tools';
import { cachedDialects, isHostOf, serverKey } from 'nestjs-agent-tools/model-kit';
import type { OpenAIProfile, OpenAIProfileName } from './interfaces/openai-profile.interface.js';
import { OPENAI_PROFILES } from './openai-profiles.js';
import { OPENAI_SCHEMAS } from './tool-schemas.js';

/**
 * A profile by its name, or what differs from the one that the base URL leads to.
 *
 * @publicApi
 */
export type ProfileOption = OpenAIProfileName | Partial<OpenAIProfile>;

/** What `openai()` is told about its server, all of it. */
export type WholeProfile = OpenAIProfile &
  Required<Pick<OpenAIProfile, 'toolSchemas'>> & {
    /** Under what `providerMetadata` has what only this server understands. */
    readonly metadataKey: string;
  };

const KNOWN = OPENAI_PROFILES.map((profile) => whole(profile));
const [OPENAI] = KNOWN;

/** Finds the profile of a server. It is made once for each model. */
export class ProfileFinder {
  private readonly named?: WholeProfile;
  private readonly own?: Partial<OpenAIProfile>;
  private last?: { readonly baseURL: string | undefined; readonly profile: WholeProfile };
  /** Each known profile with what the application changed of it. */
  private readonly changed = new WeakMap<WholeProfile, WholeProfile>();

  /** @throws ChatModelException if there is no profile of that name */
  constructor(option: ProfileOption | undefined) {
    if (typeof option === 'string') this.named = byName(option);
    else if (option) this.own = withCache(option);
  }

  /** @param baseURL Without one it is OpenAI's. */
  find(baseURL: string | undefined): WholeProfile {
    if (this.named) return this.named;
    // A model goes to one server, and asks several times for each request.
    if (!this.last || this.last.baseURL !== baseURL) {
      const base = baseURL ? byServer(baseURL) : OPENAI;
      this.last = { baseURL, profile: this.own ? this.change(base, this.own) : base };
    }
    return this.last.profile;
  }

  private change(base: WholeProfile, own: Partial<OpenAIProfile>): WholeProfile {
    const known = this.changed.get(base);
    if (known) return known;
    // `lacking` of the base is made of its own traits.
    const { lacking } = OPENAI_PROFILES.find(({ name }) => name === base.name) ?? {};
    const changed = whole({ ...base, lacking, ...own }, own.name ?? base.metadataKey);
    this.changed.set(base, changed);
    return changed;
  }
}

function withCache(profile: Partial<OpenAIProfile>): Partial<OpenAIProfile> {
  const { toolSchemas } = profile;
  return toolSchemas ? { ...profile, toolSchemas: cachedDialects(toolSchemas) } : profile;
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
    unknown(baseURL)
  );
}

/** A server that nobody knows is asked as most of them are. */
function unknown(baseURL: string): WholeProfile {
  return whole({ name: 'openai' }, serverKey(baseURL) ?? 'unknown');
}

function whole(profile: OpenAIProfile, metadataKey: string = profile.name): WholeProfile {
  const lacking = {
    ...(profile.reasoning !== 'object' && {
      reasoningBudget: 'it does not count tokens of reasoning; use `reasoningEffort`.',
    }),
    ...profile.lacking,
  };
  const basePath = profile.basePath ?? pathOf(profile.baseURL);
  return { toolSchemas: OPENAI_SCHEMAS, ...profile, basePath, lacking, metadataKey };
}

function pathOf(baseURL = ''): string {
  return URL.canParse(baseURL) ? new URL(baseURL).pathname : '';
}
