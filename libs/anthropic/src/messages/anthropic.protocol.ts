import { Logger } from '@nestjs/common';
import type {
  ChatDecoder,
  ChatProtocol,
  ChatRequest,
  ChatTarget,
  ProviderProfile,
  ToolSchemaDialects,
} from 'nestjs-agent-tools';
import { profileOf } from '../models/anthropic.profile.js';
import { toEndpoint } from '../models/to-endpoint.js';
import { toolSchemasOf } from '../models/tool-schemas.js';
import { AnthropicDecoder } from './anthropic.decoder.js';
import { encodeAnthropic, type EncodingOptions } from './anthropic.encoder.js';
import type { AnthropicOptions } from './interfaces/anthropic-options.interface.js';

const VERSION = '2023-06-01';

/** Anthropic's Messages API, for one model. */
export class AnthropicProtocol implements ChatProtocol {
  readonly title = "Anthropic's Messages API";
  readonly factory = 'anthropic';
  readonly optionNames = ['cache', 'serverTools', 'betas'] satisfies (keyof AnthropicOptions)[];
  private readonly logger = new Logger('AgentTools');
  private readonly ofModel: ProviderProfile;
  private readonly encoding: EncodingOptions;
  private hasWarned = false;

  constructor(private readonly options: AnthropicOptions) {
    const { model, cache, serverTools } = options;
    this.ofModel = profileOf(model);
    this.encoding = { cache, serverTools, onRelaxed: (names) => this.warn(names) };
  }

  profile(): ProviderProfile {
    return this.ofModel;
  }

  toolSchemas({ model }: ChatTarget): ToolSchemaDialects {
    return toolSchemasOf(model);
  }

  url({ baseURL }: ChatTarget): string {
    return toEndpoint(baseURL);
  }

  headers(): Record<string, string> {
    const { betas = [] } = this.options;
    return {
      'anthropic-version': VERSION,
      ...(betas.length > 0 && { 'anthropic-beta': betas.join(',') }),
    };
  }

  authorize(apiKey: string): Record<string, string> {
    return { 'x-api-key': apiKey };
  }

  encode(request: ChatRequest, target: ChatTarget): Record<string, unknown> {
    return encodeAnthropic(request, target, this.encoding);
  }

  createDecoder(): ChatDecoder {
    return new AnthropicDecoder();
  }

  private warn(names: readonly string[]): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn(
      `anthropic:${this.options.model} takes at most 20 strict tools in a request, with 24 optional fields and ` +
        `16 of several types in all: ${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} sent without ` +
        '`strict`. Give an agent fewer tools, or remove `strict` where it matters least.',
    );
  }
}
