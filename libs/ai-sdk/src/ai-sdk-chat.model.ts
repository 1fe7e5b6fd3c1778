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
import { admitRequest, checkRealRequest, checkTimeouts } from 'nestjs-agent-tools/model-kit';
import { AnswerDecoder } from './answer/answer.decoder.js';
import { encodeCall } from './request/call-options.encoder.js';
import { checkProviderOptions } from './checks/check-provider-options.js';
import { checkSdkSettings, OPTIONS_REMEDY } from './checks/check-sdk-settings.js';
import type { AiSdkOptions } from './interfaces/ai-sdk-options.interface.js';
import type { PromptEncoding } from './request/interfaces/encoding.interface.js';
import type { CallableModel } from './interfaces/sdk-call.interface.js';
import { SdkCall } from './sdk-call.js';
import { SdkExceptionFactory } from './errors/sdk-exception.factory.js';
import { dialectsFor } from './request/tool-schemas.js';
import { WarningLogger } from './answer/warning.logger.js';

const NO_CONNECT =
  'a model of the AI SDK does not tell when it is connected. Set `timeouts.firstChunk`, which counts from ' +
  'the begin of the request.';

/** A chat model that calls a language model of the AI SDK. */
export class AiSdkChatModel implements ChatModel {
  readonly name: string;
  readonly toolSchemas: ToolSchemaDialects;
  private readonly settings: ChatSettings;
  private readonly encoding: Omit<PromptEncoding, 'toolNames'>;
  private readonly warnings: WarningLogger;

  /** @throws ChatModelException if an option is not of use */
  constructor(
    private readonly model: CallableModel,
    private readonly options: AiSdkOptions,
  ) {
    const { specificationVersion: specification, provider, modelId } = model;
    const {
      providerOptions,
      toolSchemas,
      toolImages,
      timeouts,
      retry: _,
      toolCalling: __,
      salvage: ___,
      ...settings
    } = options;
    this.name = `${provider}:${modelId}`;
    this.settings = settings;
    this.toolSchemas = dialectsFor(specification, toolSchemas);
    this.encoding = {
      label: this.name,
      specification,
      provider,
      toolImages: toolImages ?? (provider.endsWith('.chat') ? 'user' : 'result'),
    };
    this.warnings = new WarningLogger(this.name);
    checkSdkSettings(this.name, settings, specification);
    checkProviderOptions(this.name, provider, providerOptions);
    checkTimeouts(this.name, timeouts, { connect: NO_CONNECT });
  }

  async generate(request: ChatRequest, { signal }: ChatOptions = {}): Promise<ChatResponse> {
    const { call, decoder } = this.prepare(request, signal);
    const assembler = new ChatStreamAssembler();
    try {
      const deltas = decoder.decodeWhole(await call.generate());
      if (deltas.length === 0) throw call.exceptions.fromUnreadable('an answer');
      for (const delta of deltas) assembler.push(delta);
      return assembler.finish();
    } finally {
      call.close();
    }
  }

  async *stream(
    request: ChatRequest,
    { signal }: ChatOptions = {},
  ): AsyncGenerator<ChatDelta, void, undefined> {
    const { call, decoder } = this.prepare(request, signal);
    try {
      await call.open();
      while (!decoder.finished) {
        const part = await call.read();
        if (part === undefined) return;
        for (const delta of decoder.decode(part)) yield delta;
      }
      await call.drain();
    } finally {
      call.close();
    }
  }

  /** Every request passes here, before anything of it is sent. */
  private prepare(
    request: ChatRequest,
    signal: AbortSignal | undefined,
  ): { call: SdkCall; decoder: AnswerDecoder } {
    const { model, name, options, encoding, toolSchemas } = this;
    checkRealRequest(undefined, { label: name });
    const settings = admitRequest(name, request, this.settings, OPTIONS_REMEDY);
    const { settings: given } = request;
    if (given) checkSdkSettings(name, given, encoding.specification);
    const callOptions = encodeCall(
      request,
      settings,
      options.providerOptions,
      encoding,
      toolSchemas,
    );
    const [provider = name] = encoding.provider.split('.');
    const exceptions = new SdkExceptionFactory({
      label: name,
      provider,
      secrets: settings.headers,
    });
    const decoder = new AnswerDecoder(encoding.provider, {
      onWarnings: (warnings) => this.warnings.report(warnings),
      toException: (error) => exceptions.fromThrown(error),
    });
    const call = new SdkCall(model, callOptions, exceptions, signal, options.timeouts);
    return { call, decoder };
  }
}
