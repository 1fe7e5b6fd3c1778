import type { ChatRequest, ChatTool, ToolChoice, ToolSchemaDialects } from 'nestjs-agent-tools';
import type { ChatCompletionsOptions } from './interfaces/openai-options.interface.js';
import { encodeMessages } from './messages.encoder.js';
import { isOpenAI } from './server-url.js';
import { dialectsFor, encodeSchema } from './tool-schema.converter.js';

/**
 * The body of a Chat Completions request, without the fields that ask for a stream.
 *
 * @publicApi
 */
export function toChatCompletionsBody(
  request: ChatRequest,
  options: ChatCompletionsOptions,
): Record<string, unknown> {
  const { messages, tools = [], toolChoice } = request;
  const { echoReasoning, toolSchemas = dialectsFor(options.baseURL) } = options;
  const toolNames = new Set(tools.map(({ name }) => name));
  const reasoningField = echoReasoning === true ? 'reasoning_content' : echoReasoning || undefined;
  return {
    model: options.model,
    messages: encodeMessages(messages, { reasoningField, toolNames }),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => encodeTool(tool, toolSchemas)),
      ...(toolChoice && { tool_choice: encodeToolChoice(toolChoice) }),
      ...defined('parallel_tool_calls', options.parallelToolCalls),
    }),
    ...defined('temperature', options.temperature),
    ...defined(maxTokensField(options), options.maxTokens),
    ...defined('reasoning_effort', options.reasoningEffort),
    ...options.body,
  };
}

function encodeTool(tool: ChatTool, dialects: ToolSchemaDialects): object {
  const { name, description } = tool;
  return { type: 'function', function: { name, description, ...encodeSchema(tool, dialects) } };
}

function encodeToolChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string'
    ? choice
    : { type: 'function', function: { name: choice.tool } };
}

function maxTokensField({ maxTokensField: field, baseURL }: ChatCompletionsOptions): string {
  return field ?? (isOpenAI(baseURL) ? 'max_completion_tokens' : 'max_tokens');
}

function defined(field: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [field]: value };
}
