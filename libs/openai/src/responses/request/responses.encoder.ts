import type { ChatRequest, ChatSettings, ChatTool } from 'nestjs-agent-tools';
import { type ChatTarget, convertInputSchema } from 'nestjs-agent-tools/model-kit';
import {
  encodeResponseFormat,
  formatMessages,
} from '../../chat-completions/request/response-format.encoder.js';
import { encodeToolChoice } from '../../chat-completions/request/tool-choice.encoder.js';
import { encodeInput } from './input.encoder.js';
import type {
  OpenAIResponsesOptions,
  ResponsesBodyOptions,
} from '../../interfaces/openai-responses-options.interface.js';
import type { ResponsesProfile } from '../../profiles/interfaces/responses-profile.interface.js';
import { ResponsesProfileFinder } from '../../profiles/responses-profile.finder.js';
import { canReason } from '../../profiles/responses-traits.js';

type OwnOptions = Pick<OpenAIResponsesOptions, 'store' | 'reasoningSummary' | 'verbosity'>;

/**
 * The body of a request to the Responses API.
 *
 * @throws ChatModelException if the provider has no Responses API, or cannot do what is asked
 * @publicApi
 */
export function toResponsesBody(
  request: ChatRequest,
  { model, profile, store = false, stream = false, ...rest }: ResponsesBodyOptions,
): Record<string, unknown> {
  const { reasoningSummary, verbosity, ...settings } = rest;
  const { baseURL = '' } = settings;
  return encodeResponses(
    request,
    { model, baseURL, stream, settings },
    { store, reasoningSummary, verbosity },
    new ResponsesProfileFinder({ profile }, store).find(baseURL),
  );
}

export function encodeResponses(
  { messages, tools = [], toolChoice }: ChatRequest,
  { model, stream, settings }: ChatTarget,
  own: OwnOptions,
  profile: ResponsesProfile,
): Record<string, unknown> {
  const { store = false } = own;
  const toolNames = new Set(tools.map(({ name }) => name));
  const choice = tools.length > 0 ? encodeToolChoice(toolChoice, profile) : undefined;
  const isEncrypted = profile.reasoningForm === 'encrypted' && canReason(model);
  return {
    model,
    input: [
      ...formatMessages(settings.responseFormat, profile),
      ...encodeInput(messages, { profile, toolNames, store }),
    ],
    ...(choice && {
      tools: tools.map((tool) => encodeTool(tool, profile)),
      ...flatten('tool_choice', 'function', choice.tool_choice),
      ...defined('parallel_tool_calls', settings.parallelToolCalls),
    }),
    ...encodeSettings(settings, own, profile),
    ...(profile.stores && { store }),
    ...(isEncrypted && { include: ['reasoning.encrypted_content'] }),
    ...(stream && { stream }),
    ...settings.body,
  };
}

function encodeSettings(
  { temperature, topP, maxTokens, reasoningEffort, responseFormat }: ChatSettings,
  { reasoningSummary, verbosity }: OwnOptions,
  profile: ResponsesProfile,
): Record<string, unknown> {
  const format = encodeResponseFormat(responseFormat, profile);
  return {
    ...defined('temperature', temperature),
    ...defined('top_p', topP),
    ...defined('max_output_tokens', maxTokens),
    ...group('reasoning', {
      ...defined('effort', reasoningEffort),
      ...defined('summary', reasoningSummary),
    }),
    ...group('text', {
      ...flatten('format', 'json_schema', format),
      ...defined('verbosity', verbosity),
    }),
  };
}

/** `strict` is always sent: the API takes a tool without it as a strict one. */
function encodeTool(tool: ChatTool, { toolSchemas }: ResponsesProfile): object {
  const { name, description, strict } = tool;
  const { schema, strict: isKept } = convertInputSchema(tool, toolSchemas);
  return {
    type: 'function',
    name,
    description,
    parameters: schema,
    strict: strict === true && isKept,
  };
}

/** What Chat Completions has within an object of its own, the Responses API has beside the type. */
function flatten(field: string, inner: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return defined(field, value);
  const { [inner]: content, ...rest } = value as Record<string, unknown>;
  return { [field]: { ...rest, ...(content as object | undefined) } };
}

function group(field: string, values: Record<string, unknown>): Record<string, unknown> {
  return Object.keys(values).length > 0 ? { [field]: values } : {};
}

function defined(field: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [field]: value };
}
