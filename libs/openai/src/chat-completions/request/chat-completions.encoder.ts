import type { ChatRequest, ChatSettings, ChatTool } from 'nestjs-agent-tools';
import { type ChatTarget, convertInputSchema } from 'nestjs-agent-tools/model-kit';
import { ProfileFinder, type WholeProfile } from '../../profiles/profile.finder.js';
import type { ChatCompletionsBodyOptions } from '../../interfaces/openai-options.interface.js';
import { encodeMessages } from './messages.encoder.js';
import { encodeReasoningSettings } from './reasoning-settings.encoder.js';
import { encodeResponseFormat, formatMessages } from './response-format.encoder.js';
import { encodeToolChoice } from './tool-choice.encoder.js';

/**
 * The body of a Chat Completions request.
 *
 * @throws ChatModelException if the server cannot do what is asked
 * @publicApi
 */
export function toChatCompletionsBody(
  request: ChatRequest,
  { model, profile, stream = false, ...settings }: ChatCompletionsBodyOptions,
): Record<string, unknown> {
  const { baseURL = '' } = settings;
  return encodeChatCompletions(
    request,
    { model, baseURL, stream, settings },
    new ProfileFinder(profile).find(baseURL),
  );
}

export function encodeChatCompletions(
  { messages, tools = [], toolChoice }: ChatRequest,
  { model, stream, settings }: ChatTarget,
  profile: WholeProfile,
): Record<string, unknown> {
  const toolNames = new Set(tools.map(({ name }) => name));
  const choice = tools.length > 0 ? encodeToolChoice(toolChoice, profile) : undefined;
  return {
    model,
    messages: [
      ...formatMessages(settings.responseFormat, profile),
      ...encodeMessages(messages, { profile, toolNames }),
    ],
    ...(choice && {
      tools: tools.map((tool) => encodeTool(tool, profile)),
      ...choice,
      ...defined('parallel_tool_calls', settings.parallelToolCalls),
    }),
    ...encodeSettings(settings, profile),
    ...(stream && { stream }),
    ...(stream && profile.streamOptions !== false && { stream_options: { include_usage: true } }),
    ...settings.body,
  };
}

function encodeSettings(settings: ChatSettings, profile: WholeProfile): Record<string, unknown> {
  return {
    ...defined('temperature', settings.temperature),
    ...defined('top_p', settings.topP),
    ...defined(profile.maxTokensField ?? 'max_tokens', settings.maxTokens),
    ...defined('stop', settings.stop),
    ...defined(profile.seedField ?? 'seed', settings.seed),
    ...encodeReasoningSettings(settings, profile),
    ...defined('response_format', encodeResponseFormat(settings.responseFormat, profile)),
  };
}

/** `strict` is sent only if the schema has kept it, or the tool refuses it. */
function encodeTool(tool: ChatTool, { toolSchemas }: WholeProfile): object {
  const { name, description, strict } = tool;
  const converted = convertInputSchema(tool, toolSchemas);
  const isSent = strict === false || (strict === true && converted.strict);
  return {
    type: 'function',
    function: { name, description, parameters: converted.schema, ...(isSent && { strict }) },
  };
}

function defined(field: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [field]: value };
}
