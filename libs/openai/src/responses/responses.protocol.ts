import type { ChatModelException, ChatRequest, ToolSchemaDialects } from 'nestjs-agent-tools';
import type { ChatDecoder, ChatProtocol, ChatTarget } from 'nestjs-agent-tools/model-kit';
import { encodeKeyHeader } from '../profiles/key-header.encoder.js';
import { toEndpoint } from '../profiles/to-endpoint.js';
import type { OpenAIResponsesOptions } from '../interfaces/openai-responses-options.interface.js';
import type { ResponsesProfile } from '../profiles/interfaces/responses-profile.interface.js';
import { ResponsesDecoder } from './answer/responses.decoder.js';
import { encodeResponses } from './request/responses.encoder.js';
import { ResponsesProfileFinder } from '../profiles/responses-profile.finder.js';

/** The Responses API, as the server of a profile speaks it. */
export class ResponsesProtocol implements ChatProtocol {
  readonly title = 'the Responses API';
  readonly factory = 'openaiResponses';
  readonly optionNames = [
    'profile',
    'store',
    'reasoningSummary',
    'verbosity',
  ] satisfies (keyof OpenAIResponsesOptions)[];
  private readonly profiles: ResponsesProfileFinder;

  /** @throws ChatModelException if there is no such profile */
  constructor(private readonly options: OpenAIResponsesOptions) {
    this.profiles = new ResponsesProfileFinder(options, options.store === true);
  }

  profile(baseURL: string | undefined): ResponsesProfile {
    return this.profiles.find(baseURL);
  }

  toolSchemas({ baseURL }: ChatTarget): ToolSchemaDialects {
    return this.profile(baseURL).toolSchemas;
  }

  url({ baseURL }: ChatTarget): string {
    return toEndpoint(baseURL, '/responses', this.profile(baseURL).basePath);
  }

  authorize(apiKey: string, { baseURL }: ChatTarget): Record<string, string> {
    return encodeKeyHeader(apiKey, this.profile(baseURL));
  }

  encode(request: ChatRequest, target: ChatTarget): Record<string, unknown> {
    return encodeResponses(request, target, this.options, this.profile(target.baseURL));
  }

  createDecoder(
    { baseURL }: ChatTarget,
    toException: (body: unknown) => ChatModelException,
  ): ChatDecoder {
    return new ResponsesDecoder(this.profile(baseURL).metadataKey, toException);
  }
}
