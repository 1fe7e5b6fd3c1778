import type { ChatRequest, ChatSettings } from 'nestjs-agent-tools';
import type { ChatTarget } from 'nestjs-agent-tools/model-kit';
import { findClaudeModel } from '../profile/claude-model.js';
import { toolSchemasOf } from '../profile/tool-schemas.js';
import { CacheMarks } from './cache-marks.js';
import { checkThinking } from './check-thinking.js';
import { findContainer } from './container.finder.js';
import type {
  AnthropicBodyOptions,
  AnthropicExtras,
} from '../interfaces/anthropic-options.interface.js';
import type { WireFields, WireTurn } from './interfaces/wire-request.interface.js';
import { encodeMaxTokens } from './max-tokens.encoder.js';
import { encodeMessages } from './messages.encoder.js';
import { encodeResponseFormat, type EncodedFormat } from './response-format.encoder.js';
import { StrictLimits } from './strict-limits.js';
import { encodeSystem, joinSystem } from './system.encoder.js';
import { encodeEffort, encodeThinking, isThinkingOn, mustNotThink } from './thinking.encoder.js';
import { encodeToolChoice } from './tool-choice.encoder.js';
import { encodeTools, toolsOfHistory } from './tools.encoder.js';

/** What the encoder is told beside the request and its target. */
export interface EncodingOptions extends AnthropicExtras {
  /** Told the names of the tools that are sent without `strict`, as there are too many. */
  readonly onRelaxed?: (names: readonly string[]) => void;
  /** Told that the model is asked without thinking, as another one began the turn. */
  readonly onThoughtless?: () => void;
}

/**
 * The body of a request to Anthropic's Messages API.
 *
 * @throws ChatModelException if settings do not go together, or an image has a form that Anthropic
 * does not take
 * @publicApi
 */
export function toAnthropicBody(
  request: ChatRequest,
  { model, stream = false, cache, serverTools, ...settings }: AnthropicBodyOptions,
): Record<string, unknown> {
  const target = { model, stream, settings, baseURL: settings.baseURL ?? '' };
  return encodeAnthropic(request, target, { cache, serverTools });
}

export function encodeAnthropic(
  request: ChatRequest,
  { model, stream, settings: given }: ChatTarget,
  options: EncodingOptions,
): Record<string, unknown> {
  checkThinking(model, given);
  const { messages, tools = [] } = request;
  const marks = new CacheMarks(options.cache);
  const format = encodeResponseFormat(model, given.responseFormat);
  const system = encodeSystem(messages, format.instruction ? [format.instruction] : []);
  const turns = encodeMessages(messages, new Set(tools.map(({ name }) => name)));
  const isThoughtless = given.reasoningBudget && mustNotThink(turns);
  if (isThoughtless) options.onThoughtless?.();
  const settings = isThoughtless ? { ...given, reasoningBudget: undefined } : given;
  return {
    model,
    ...(system.length > 0 && { system: joinSystem(marks.onLast('system', system)) }),
    messages: marks.onTurns(turns),
    ...toolFields(request, model, settings, turns, format, marks, options),
    ...settingFields(model, settings, format),
    ...containerField(messages, settings, options),
    ...(stream && { stream }),
    ...settings.body,
  };
}

function toolFields(
  { tools = [], toolChoice }: ChatRequest,
  model: string,
  settings: ChatSettings,
  turns: readonly WireTurn[],
  { schema }: EncodedFormat,
  marks: CacheMarks,
  { serverTools = [], onRelaxed }: EncodingOptions,
): WireFields {
  const { body = {}, parallelToolCalls } = settings;
  const limits = new StrictLimits();
  if (schema) limits.addFormat(schema);
  const sent = [...encodeTools(tools, toolSchemasOf(model), limits, onRelaxed), ...serverTools];
  if (sent.length === 0) {
    const past = 'tools' in body ? [] : toolsOfHistory(turns);
    return past.length > 0 ? { tools: past, tool_choice: { type: 'none' } } : {};
  }
  const thinking = 'thinking' in body ? body.thinking : encodeThinking(model, settings);
  const mayForce = findClaudeModel(model).forcedChoice && !isThinkingOn(thinking);
  const choice = encodeToolChoice(toolChoice, parallelToolCalls, mayForce);
  return { tools: marks.onLast('tools', sent), ...(choice && { tool_choice: choice }) };
}

function settingFields(
  model: string,
  settings: ChatSettings,
  { schema }: EncodedFormat,
): WireFields {
  const thinking = encodeThinking(model, settings);
  const effort = encodeEffort(settings);
  const output = {
    ...(effort !== undefined && { effort }),
    ...(schema && { format: { type: 'json_schema', schema } }),
  };
  return {
    max_tokens: encodeMaxTokens(model, settings),
    ...defined('temperature', settings.temperature),
    ...defined('top_p', settings.topP),
    ...defined('stop_sequences', settings.stop),
    ...defined('thinking', thinking),
    ...(Object.keys(output).length > 0 && { output_config: output }),
  };
}

/** Without a tool that runs code there, it would be refused. */
function containerField(
  messages: ChatRequest['messages'],
  { body = {} }: ChatSettings,
  { serverTools = [] }: EncodingOptions,
): WireFields {
  const isUsed = serverTools.length > 0 || 'tools' in body;
  return isUsed ? defined('container', findContainer(messages)) : {};
}

function defined(field: string, value: unknown): WireFields {
  return value === undefined ? {} : { [field]: value };
}
