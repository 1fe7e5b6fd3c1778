import type { ChatRequest, ToolSchemaDialects } from 'nestjs-agent-tools';
import type {
  ChatDecoder,
  ChatProtocol,
  ChatTarget,
  ProviderProfile,
} from 'nestjs-agent-tools/model-kit';
import { profileOf } from './profile/anthropic.profile.js';
import { toEndpoint } from './profile/to-endpoint.js';
import { toolSchemasOf } from './profile/tool-schemas.js';
import { AnthropicDecoder } from './answer/anthropic.decoder.js';
import { encodeAnthropic } from './request/anthropic.encoder.js';
import type { AnthropicOptions } from './interfaces/anthropic-options.interface.js';

const VERSION = '2023-06-01';

/** Anthropic's Messages API, for one model. */
export class AnthropicProtocol implements ChatProtocol {
  readonly title = "Anthropic's Messages API";
  readonly factory = 'anthropic';
  readonly optionNames = ['cache', 'serverTools', 'betas'] satisfies (keyof AnthropicOptions)[];
  private readonly ofModel: ProviderProfile;

  constructor(private readonly options: AnthropicOptions) {
    this.ofModel = profileOf(options.model);
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

  encode(
    request: ChatRequest,
    target: ChatTarget,
    warn: (text: string) => void,
  ): Record<string, unknown> {
    const { cache, serverTools } = this.options;
    const onRelaxed = (names: readonly string[]) => warn(describeRelaxed(target.model, names));
    const onThoughtless = () => warn(describeThoughtless(target.model));
    return encodeAnthropic(request, target, { cache, serverTools, onRelaxed, onThoughtless });
  }

  createDecoder(): ChatDecoder {
    return new AnthropicDecoder();
  }
}

function describeRelaxed(model: string, names: readonly string[]): string {
  return (
    `anthropic:${model} takes at most 20 strict tools in a request, with 24 optional fields and 16 of ` +
    `several types in all: ${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} sent without \`strict\`. ` +
    'Give an agent fewer tools, or remove `strict` where it matters least.'
  );
}

function describeThoughtless(model: string): string {
  return (
    `anthropic:${model} is asked without its \`reasoningBudget\`, as the calls that it continues were made ` +
    'without thinking, likely by another model.'
  );
}
