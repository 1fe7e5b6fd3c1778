import type { LackingSettings } from '../../settings/check-settings.js';

/**
 * What is known about one provider: data, each entry for something that its server was seen to do.
 *
 * @publicApi
 */
export interface ProviderProfile {
  /** First part of the model's name, as in `groq:llama-4`. */
  readonly name: string;
  /** Where its server is. Left out, the application must say. */
  readonly baseURL?: string;
  /** Hosts of its servers, without their subdomains. Only they get a key of the environment. */
  readonly hosts?: readonly string[];
  /** Variables of the environment that hold a key; the first that is set counts. @default none */
  readonly apiKeyVariables?: readonly string[];
  /** Whether its hosts refuse a request without a key. @default true if there are variables for one */
  readonly needsKey?: boolean;
  /** The variable of the environment with another base URL, which then gets the environment's key. */
  readonly baseURLVariable?: string;
  /** Settings that its protocol has, but it has not. @default {} */
  readonly lacking?: LackingSettings;
}
