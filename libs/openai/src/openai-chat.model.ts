import {
  ChatModelException,
  postJson,
  postSse,
  type ChatDelta,
  type ChatModel,
  type ChatOptions,
  type ChatRequest,
  type ChatResponse,
  type HttpRequestOptions,
  type ToolSchemaDialects,
} from 'nestjs-agent-tools';
import { ChatCompletionsDecoder } from './chat-completions.decoder.js';
import { toChatCompletionsBody } from './chat-completions.encoder.js';
import { decodeChatCompletion } from './completion.decoder.js';
import type { WireCompletion } from './interfaces/chat-completions.interface.js';
import type { OpenAIOptions } from './interfaces/openai-options.interface.js';
import { isOpenAI, OPENAI_URL, toEndpoint } from './server-url.js';
import { cachedDialects, dialectsFor } from './tool-schema.converter.js';

const MAX_QUOTE = 200;

/** A chat model behind a server that speaks Chat Completions. */
export class OpenAIChatModel implements ChatModel {
  readonly name: string;
  private readonly ownToolSchemas?: ToolSchemaDialects;

  constructor(private readonly options: OpenAIOptions) {
    this.name = `openai:${options.model}`;
    this.ownToolSchemas = options.toolSchemas && cachedDialects(options.toolSchemas);
  }

  get toolSchemas(): ToolSchemaDialects {
    return this.ownToolSchemas ?? dialectsFor(this.baseURL);
  }

  /** Read when it is needed: a configuration module fills the environment after the model is made. */
  private get baseURL(): string {
    return this.options.baseURL || process.env.OPENAI_BASE_URL || OPENAI_URL;
  }

  async generate(request: ChatRequest, { signal }: ChatOptions = {}): Promise<ChatResponse> {
    const { url, body, http } = await this.prepare(request, signal);
    return decodeChatCompletion(await postJson(url, body, http), this.name);
  }

  async *stream(
    request: ChatRequest,
    { signal }: ChatOptions = {},
  ): AsyncGenerator<ChatDelta, void, undefined> {
    const { url, body, http } = await this.prepare(request, signal);
    const streamed = { stream: true, stream_options: { include_usage: true }, ...body };
    const events = postSse(url, streamed, http);
    const decoder = new ChatCompletionsDecoder();
    try {
      let event = await events.next();
      for (; !event.done; event = await events.next()) {
        for (const delta of decoder.decode(this.parse(event.value))) yield delta;
      }
      yield* decoder.end(event.value === 'done');
    } finally {
      await events.return('closed');
    }
  }

  private async prepare(
    request: ChatRequest,
    signal: AbortSignal | undefined,
  ): Promise<{ url: string; body: Record<string, unknown>; http: HttpRequestOptions }> {
    const { options, name, baseURL, toolSchemas } = this;
    const { fetch, timeout, idleTimeout, maxRetries } = options;
    const headers = await this.headers(baseURL);
    return {
      url: toEndpoint(baseURL, name),
      body: toChatCompletionsBody(request, { ...options, baseURL, toolSchemas }),
      http: { label: name, headers, signal, fetch, timeout, idleTimeout, maxRetries },
    };
  }

  private async headers(baseURL: string): Promise<Record<string, string>> {
    const own = await this.ownHeaders();
    const apiKey = (this.options.apiKey ?? this.keyOfEnvironment() ?? '').trim();
    const authorized = Object.keys(own ?? {}).some((key) => /^(authorization|api-key)$/i.test(key));
    if (authorized) return { ...own };
    if (!apiKey && isOpenAI(baseURL)) {
      throw new ChatModelException(
        `${this.name} has no API key. Set OPENAI_API_KEY in the environment or \`apiKey\` in ` +
          'openai({ … }); for another server set `baseURL`.',
      );
    }
    return { ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...own };
  }

  /** A key of OpenAI must not go to another server that the code names. */
  private keyOfEnvironment(): string | undefined {
    const { baseURL } = this.options;
    return !baseURL || isOpenAI(baseURL) ? process.env.OPENAI_API_KEY : undefined;
  }

  private async ownHeaders(): Promise<Readonly<Record<string, string>> | undefined> {
    const { headers } = this.options;
    if (typeof headers !== 'function') return headers;
    try {
      return await headers();
    } catch (cause) {
      throw new ChatModelException(
        `${this.name} got no headers: the function \`headers\` of openai({ … }) failed; see the cause.`,
        { cause },
      );
    }
  }

  private parse(data: string): WireCompletion {
    try {
      const chunk: unknown = JSON.parse(data);
      return isObject(chunk) ? chunk : {};
    } catch {
      throw new ChatModelException(
        `${this.name} sent an event that is no JSON, which is likely cut off: ` +
          `${data.slice(0, MAX_QUOTE).toWellFormed()}. Send the request again.`,
        { retryable: true },
      );
    }
  }
}

function isObject(value: unknown): value is WireCompletion {
  return typeof value === 'object' && value !== null;
}
