import type {
  ChatRequest,
  ChatSettings,
  ResponseFormat,
  ToolChoice,
  ToolSchemaDialects,
} from 'nestjs-agent-tools';
import type { PromptEncoding } from './interfaces/encoding.interface.js';
import type { ProviderOptions, SdkCallOptions } from '../interfaces/sdk-call.interface.js';
import { encodePrompt } from './prompt.encoder.js';
import { encodeTool } from './tool-schemas.js';

/** A request as a model of the AI SDK is called. */
export function encodeCall(
  { messages, tools = [], toolChoice }: ChatRequest,
  settings: ChatSettings,
  providerOptions: ProviderOptions | undefined,
  encoding: Omit<PromptEncoding, 'toolNames'>,
  toolSchemas: ToolSchemaDialects,
): SdkCallOptions {
  const toolNames = new Set(tools.map(({ name }) => name));
  const { maxTokens, temperature, topP, stop, seed, responseFormat, headers } = settings;
  const options: SdkCallOptions = {
    prompt: encodePrompt(messages, { ...encoding, toolNames }),
    maxOutputTokens: maxTokens,
    temperature,
    topP,
    stopSequences: stop,
    seed,
    responseFormat: responseFormat && encodeFormat(responseFormat),
    reasoning: settings.reasoningEffort,
    headers,
    providerOptions,
    ...(tools.length > 0 && {
      tools: tools.map((tool) => encodeTool(tool, toolSchemas)),
      toolChoice: toolChoice && encodeChoice(toolChoice),
    }),
  };
  // Some providers warn about a setting as soon as its key is there.
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as unknown as SdkCallOptions;
}

function encodeChoice(choice: ToolChoice): object {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.tool };
}

function encodeFormat(format: ResponseFormat): object {
  if (format.type === 'text') return { type: 'text' };
  const { type, schema, name, description } = format;
  return {
    type,
    ...(schema && { schema }),
    ...(name && { name }),
    ...(description && { description }),
  };
}
