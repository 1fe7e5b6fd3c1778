import {
  ChatStreamAssembler,
  type ChatDelta,
  type ChatModel,
  type ChatOptions,
  type ChatRequest,
  type ChatResponse,
  type ChatSettings,
  type ToolSchemaDialects,
} from 'nestjs-agent-tools';
import {
  admitRequest,
  checkRealRequest,
  checkSettings,
  ModelCall,
} from 'nestjs-agent-tools/model-kit';
import { MessageDecoder } from './answer/message.decoder.js';
import { encodeMessages } from './request/messages.encoder.js';
import { LangChainExceptionFactory } from './errors/langchain-exception.factory.js';
import type {
  LangChainMessage,
  LangChainModel,
  LangChainRunnable,
} from './interfaces/langchain-model.interface.js';
import type { LangChainOptions } from './interfaces/langchain-options.interface.js';
import { lackingSettings, OPTIONS_REMEDY } from './checks/lacking-settings.js';
import type { ModelTraits } from './profile/model-traits.js';
import { isSilenced, toolsToBind } from './request/silenced-tools.js';
import { timedCall } from './timed.call.js';
import { timedStream } from './timed.stream.js';
import { ToolsBinder } from './request/tools.binder.js';

interface PreparedRequest {
  readonly runnable: LangChainRunnable;
  readonly input: LangChainMessage[];
  readonly callOptions: Readonly<Record<string, unknown>>;
}

/** A chat model of LangChain as one of this package. */
export class LangChainChatModel implements ChatModel {
  readonly name: string;
  private readonly binder: ToolsBinder;
  private readonly settings: ChatSettings;

  constructor(
    private readonly model: LangChainModel,
    private readonly options: LangChainOptions,
    private readonly traits: ModelTraits,
  ) {
    const { name = traits.name, stop, parallelToolCalls } = options;
    this.name = name;
    this.binder = new ToolsBinder(model, traits);
    this.settings = { stop, parallelToolCalls };
  }

  get toolSchemas(): ToolSchemaDialects {
    return this.traits.toolSchemas;
  }

  async generate(request: ChatRequest, { signal }: ChatOptions = {}): Promise<ChatResponse> {
    const settings = this.admit(request);
    const decoder = new MessageDecoder(this.traits, true, isSilenced(request, this.traits));
    const assembler = new ChatStreamAssembler();
    try {
      const { runnable, input, callOptions } = this.prepare(request, settings);
      const message = await timedCall(
        (inner) => runnable.invoke(input, { ...callOptions, signal: inner }),
        this.begin(signal),
      );
      for (const delta of decoder.decode(message)) assembler.push(delta);
    } catch (error) {
      throw this.toException(error, signal);
    }
    for (const delta of decoder.end()) assembler.push(delta);
    return assembler.finish();
  }

  async *stream(
    request: ChatRequest,
    { signal }: ChatOptions = {},
  ): AsyncGenerator<ChatDelta, void, undefined> {
    const settings = this.admit(request);
    const decoder = new MessageDecoder(this.traits, false, isSilenced(request, this.traits));
    try {
      const { runnable, input, callOptions } = this.prepare(request, settings);
      const chunks = timedStream(
        (inner) => runnable.stream(input, { ...callOptions, signal: inner }),
        this.begin(signal),
      );
      for await (const chunk of chunks) yield* decoder.decode(chunk);
    } catch (error) {
      throw this.toException(error, signal);
    }
    yield* decoder.end();
  }

  private admit(request: ChatRequest): ChatSettings {
    const { name, traits } = this;
    checkRealRequest(undefined, { label: name });
    const settings = admitRequest(name, request, this.settings, OPTIONS_REMEDY);
    if (request.settings) checkSettings(name, request.settings, lackingSettings(traits));
    return settings;
  }

  private prepare(
    request: ChatRequest,
    { stop, parallelToolCalls }: ChatSettings,
  ): PreparedRequest {
    const { traits, options } = this;
    const { messages, tools = [], toolChoice } = request;
    const toolNames = new Set(tools.map(({ name }) => name));
    return {
      runnable: this.binder.bind(toolsToBind(request, traits), toolChoice, parallelToolCalls),
      input: encodeMessages(messages, { traits, toolNames }),
      callOptions: { ...options.callOptions, ...(stop && { stop: [...stop] }) },
    };
  }

  /** New ones for each request, as the key of the model may change. */
  private get exceptions(): LangChainExceptionFactory {
    const { name, traits, model } = this;
    return new LangChainExceptionFactory({
      label: name,
      provider: traits.provider,
      secrets: model,
    });
  }

  private begin(signal: AbortSignal | undefined): ModelCall {
    return new ModelCall(this.exceptions, { signal, timeouts: this.options.timeouts });
  }

  private toException(error: unknown, signal: AbortSignal | undefined): unknown {
    return signal?.aborted ? error : this.exceptions.fromThrown(error);
  }
}
