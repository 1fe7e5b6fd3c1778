import { isCredentialName } from '../requests/secrets.js';
import { ChatModelException } from '../exceptions/chat-model.exception.js';
import type { ChatSettings } from '../interfaces/chat-settings.interface.js';
import type { ChatProtocol } from './interfaces/chat-protocol.interface.js';
import type { ChatTarget } from './interfaces/chat-target.interface.js';
import type { HttpChatOptions } from './interfaces/http-chat-options.interface.js';
import type { ProviderProfile } from './interfaces/provider-profile.interface.js';
import { isHostOf, isSameServer } from './server-host.js';

type HeaderRecord = Readonly<Record<string, string>>;

const CREDENTIAL = /^(?:authorization|api-key|x-api-key|x-goog-api-key)$/i;

/** Finds the headers of a request that the application gives, its key among them. */
export class CredentialsReader {
  constructor(
    private readonly label: string,
    private readonly protocol: ChatProtocol,
    private readonly options: HttpChatOptions,
  ) {}

  /**
   * @param ownBaseURL Where the model goes if a request names no other server: credentials of the
   * model are for that one only.
   * @throws ChatModelException if there is no key and the provider needs one, or a function fails.
   */
  async read(
    profile: ProviderProfile,
    target: ChatTarget,
    ownBaseURL: string | undefined,
    request: ChatSettings | undefined,
  ): Promise<HeaderRecord> {
    const isOwn = ownBaseURL !== undefined && isSameServer(target.baseURL, ownBaseURL);
    const headers = { ...(await this.ownHeaders(isOwn)), ...request?.headers };
    if (request?.apiKey !== undefined) return this.withKeyOf(request.apiKey, target, headers);
    if (Object.keys(headers).some((name) => CREDENTIAL.test(name))) return headers;
    const key =
      (isOwn ? await this.call('apiKey', this.options.apiKey) : undefined) ??
      this.keyOfEnvironment(profile, target, isOwn);
    const apiKey = key?.trim();
    if (apiKey) return { ...this.protocol.authorize(apiKey, target), ...headers };
    const { apiKeyVariables = [], needsKey = apiKeyVariables.length > 0, hosts } = profile;
    if (needsKey && isHostOf(target.baseURL, hosts)) throw this.missingKey(apiKeyVariables);
    return headers;
  }

  /** Why no key was sent, for a server that wants one; undefined if one was. */
  remedy(headers: HeaderRecord, { baseURL }: ChatTarget): string | undefined {
    if (Object.keys(headers).some((name) => CREDENTIAL.test(name))) return undefined;
    return (
      `No key was sent to ${new URL(baseURL).host}: one of the environment is only for the provider's own ` +
      `address. Give \`apiKey\` to ${this.protocol.factory}({ … }), or to the request that changes the address.`
    );
  }

  /** The key of a request is nearer than a header of the model. */
  private withKeyOf(apiKey: string, target: ChatTarget, headers: HeaderRecord): HeaderRecord {
    const others = Object.entries(headers).filter(([name]) => !CREDENTIAL.test(name));
    const key = apiKey.trim();
    return { ...(key && this.protocol.authorize(key, target)), ...Object.fromEntries(others) };
  }

  private async ownHeaders(isOwn: boolean): Promise<HeaderRecord> {
    const headers = (await this.call('headers', this.options.headers)) ?? {};
    if (isOwn) return headers;
    return Object.fromEntries(Object.entries(headers).filter(([name]) => !isCredentialName(name)));
  }

  /** A key of one provider must not go to the server of another. */
  private keyOfEnvironment(
    profile: ProviderProfile,
    { baseURL }: ChatTarget,
    isOwn: boolean,
  ): string | undefined {
    // A base URL of the environment goes with the key there.
    const isOfEnvironment = isOwn && !this.options.baseURL;
    if (!isOfEnvironment && !isOwnAddress(baseURL, profile)) return undefined;
    const { apiKeyVariables = [] } = isOfEnvironment ? this.protocol.profile(undefined) : profile;
    return apiKeyVariables.map((name) => process.env[name]).find(Boolean);
  }

  private async call<T>(option: string, given: T | (() => T | Promise<T>)): Promise<T> {
    if (typeof given !== 'function') return given;
    try {
      return await (given as () => T | Promise<T>)();
    } catch (cause) {
      // It says what has failed: a library may put a function of its own around one of the application.
      if (cause instanceof ChatModelException) throw cause;
      throw new ChatModelException(
        `${this.label} cannot be asked: the function \`${option}\` of ${this.protocol.factory}({ … }) ` +
          'failed; see the cause.',
        { cause },
      );
    }
  }

  private missingKey(variables: readonly string[]): ChatModelException {
    const { factory } = this.protocol;
    const variable = variables.length > 0 && `set ${variables.join(' or ')} in the environment`;
    const ways = [variable, `give \`apiKey\` to ${factory}({ … })`].filter(Boolean).join(', or ');
    return new ChatModelException(
      `${this.label} has no API key. Please ${ways}; for another server set \`baseURL\`.`,
    );
  }
}

/** What listens on another port of a host need not be the provider, and without TLS everybody reads along. */
function isOwnAddress(baseURL: string, { hosts }: ProviderProfile): boolean {
  const { protocol, port } = new URL(baseURL);
  return protocol === 'https:' && port === '' && isHostOf(baseURL, hosts);
}
