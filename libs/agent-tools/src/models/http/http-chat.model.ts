import type { ToolSchemaDialects } from '../../schemas/dialects/interfaces/schema-dialect.interface.js';
import { ModelCall } from '../requests/model.call.js';
import { ModelExceptionFactory } from '../requests/model-exception.factory.js';
import { decodeAnswer, decodeDeltas } from './decode-answer.js';
import { ChatModelException } from '../exceptions/chat-model.exception.js';
import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
} from '../interfaces/chat-model.interface.js';
import type { ChatSettings } from '../interfaces/chat-settings.interface.js';
import { redactCredentials } from '../../utils/redact-credentials.js';
import { OnceLogger } from '../once.logger.js';
import { admitRequest } from '../settings/admit-request.js';
import { checkSettings } from '../settings/check-settings.js';
import { checkOptionNames } from '../../utils/check-option-names.js';
import { SETTING_NAMES, SETTING_REMEDY } from '../settings/setting-names.js';
import { checkTimeouts } from '../settings/check-timeouts.js';
import { CredentialsReader } from './credentials.reader.js';
import { HttpChatStream, type OpenRequest } from './http-chat.stream.js';
import { HttpExchange } from './http-exchange.js';
import type { ChatProtocol } from './interfaces/chat-protocol.interface.js';
import type { ChatTarget } from './interfaces/chat-target.interface.js';
import type { HttpChatOptions } from './interfaces/http-chat-options.interface.js';
import type { ProviderProfile } from './interfaces/provider-profile.interface.js';
import { readJson } from './read-json.js';
import { serverKey } from './server-host.js';

/** A chat model behind an HTTP server. What its protocol says is left to that. */
export class HttpChatModel implements ChatModel {
  readonly name: string;
  private readonly settings: ChatSettings;
  private readonly credentials: CredentialsReader;
  private readonly warnings = new OnceLogger();
  private readonly warn = (text: string): void => this.warnings.warn(text);

  /** @throws as `createHttpChatModel()` says */
  constructor(
    private readonly protocol: ChatProtocol,
    private readonly options: HttpChatOptions,
  ) {
    const { factory, optionNames } = protocol;
    if (optionNames) {
      const names = [...OPTION_NAMES, ...optionNames];
      checkOptionNames(`${factory}()`, options, names, SETTING_REMEDY);
    }
    const profile = protocol.profile(options.baseURL);
    this.name = `${profile.name}:${options.model}`;
    this.settings = toSettings(options);
    this.credentials = new CredentialsReader(this.name, protocol, options);
    if (!options.model) {
      throw new TypeError(
        `${factory}({ … }) needs the name of a model: ${factory}({ model: '…' }).`,
      );
    }
    const { headers, apiKey } = options;
    checkSettings(
      this.name,
      {
        ...this.settings,
        headers: typeof headers === 'function' ? undefined : headers,
        apiKey: typeof apiKey === 'function' ? undefined : apiKey,
      },
      profile.lacking,
    );
    checkTimeouts(this.name, options.timeouts);
    if (options.baseURL) this.checkBaseURL(options.baseURL);
  }

  get server(): string | undefined {
    return serverKey(this.ownBaseURL());
  }

  get toolSchemas(): ToolSchemaDialects {
    return this.protocol.toolSchemas(this.target(this.settings, false));
  }

  async generate(request: ChatRequest, { signal }: ChatOptions = {}): Promise<ChatResponse> {
    const { exchange, decoder } = await this.open(request, signal, false);
    try {
      const { json } = await readJson(await exchange.open(), 'JSON', exchange.exceptions);
      return decodeAnswer(decoder, json, this.name, this.protocol.title);
    } catch (error) {
      throw exchange.toException(error);
    } finally {
      exchange.close();
    }
  }

  stream(request: ChatRequest, { signal }: ChatOptions = {}): AsyncIterable<ChatDelta> {
    return new HttpChatStream(
      () => this.open(request, signal, true),
      (decoder, body) => decodeDeltas(decoder, body, this.name, this.protocol.title),
    );
  }

  private async open(
    request: ChatRequest,
    signal: AbortSignal | undefined,
    stream: boolean,
  ): Promise<OpenRequest> {
    const { protocol, name } = this;
    const { fetch, timeouts } = this.options;
    const { settings: given } = request;
    const target = this.target(admitRequest(name, request, this.settings), stream);
    const profile = protocol.profile(target.baseURL);
    if (given) checkSettings(name, given, profile.lacking);
    const headers = {
      ...protocol.headers?.(target),
      ...(await this.credentialsFor(profile, target, given, signal)),
    };
    const body = protocol.encode(request, target, this.warn);
    const exchange = new HttpExchange(protocol.url(target), body, stream, {
      label: name,
      provider: profile.name,
      headers,
      extraBody: target.settings.body,
      keyRemedy: this.credentials.remedy(headers, target),
      signal,
      fetch,
      timeouts,
    });
    const decoder = protocol.createDecoder(target, (error) => exchange.exceptions.fromBody(error));
    return { exchange, decoder };
  }

  /** A function of the application that never settles must not keep a run from its end. */
  private async credentialsFor(
    profile: ProviderProfile,
    target: ChatTarget,
    given: ChatSettings | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Readonly<Record<string, string>>> {
    const { apiKey, headers, timeouts } = this.options;
    const read = () => this.credentials.read(profile, target, this.ownBaseURL(), given);
    if (typeof apiKey !== 'function' && typeof headers !== 'function') return read();
    const exceptions = new ModelExceptionFactory({ label: this.name, provider: profile.name });
    const call = new ModelCall(exceptions, { signal, timeouts });
    try {
      return await call.wait(read(), 'request');
    } finally {
      call.close(true);
    }
  }

  private target(settings: ChatSettings, stream: boolean): ChatTarget {
    const baseURL = settings.baseURL || this.ownBaseURL();
    if (!baseURL) {
      const { factory } = this.protocol;
      throw new ChatModelException(
        `${this.name} needs the address of its server: ${factory}({ baseURL: 'https://…' }).`,
      );
    }
    this.checkBaseURL(baseURL);
    return { model: this.options.model, baseURL, stream, settings };
  }

  /** "localhost:1234" is a URL, too: of the protocol "localhost:". */
  private checkBaseURL(baseURL: string): void {
    if (URL.canParse(baseURL) && /^https?:$/.test(new URL(baseURL).protocol)) return;
    throw new ChatModelException(
      `${this.name} cannot use the base URL "${withoutSecrets(baseURL)}". Give a whole one, such as ` +
        'http://localhost:11434/v1.',
    );
  }

  /** Read when it is needed: a configuration module fills the environment after the model is made. */
  private ownBaseURL(): string | undefined {
    if (this.options.baseURL) return this.options.baseURL;
    const { baseURL, baseURLVariable } = this.protocol.profile(undefined);
    return (baseURLVariable && process.env[baseURLVariable]) || baseURL;
  }
}

function withoutSecrets(baseURL: string): string {
  return redactCredentials(baseURL.replace(/[?#].*$/s, ''));
}

const OPTION_NAMES: readonly string[] = [
  ...SETTING_NAMES,
  'model',
  'fetch',
  'timeouts',
  'retry',
  'toolCalling',
  'salvage',
] satisfies (keyof HttpChatOptions)[];

/** Keys and headers are read when they are needed, and only for the server of the model. */
const SETTINGS: ReadonlySet<string> = new Set(
  SETTING_NAMES.filter((name) => name !== 'apiKey' && name !== 'headers'),
);

function toSettings(options: HttpChatOptions): ChatSettings {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => SETTINGS.has(name) && value !== undefined),
  );
}
