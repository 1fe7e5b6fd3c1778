import { toAnthropicSchema } from '../schemas/dialects/anthropic.dialect.js';
import { toOpenAISchema, toOpenAIStrictSchema } from '../schemas/dialects/openai.dialect.js';
import type { JsonSchema, ObjectJsonSchema } from '../schemas/interfaces/json-schema.interface.js';
import type { ToolDefinition } from './interfaces/tool-definition.interface.js';

/**
 * A tool in the form of OpenAI's Chat Completions.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 * @publicApi
 */
export interface OpenAITool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: ObjectJsonSchema;
    readonly strict?: boolean;
  };
}

/**
 * A tool in the form of Anthropic's Messages.
 *
 * @see https://docs.anthropic.com/en/api/messages
 * @publicApi
 */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: ObjectJsonSchema;
}

/**
 * A tool in the form of an MCP `tools/list` result.
 *
 * @see https://modelcontextprotocol.io/specification/2025-06-18/server/tools
 * @publicApi
 */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectJsonSchema;
  /** Only of a tool that returns an object, as MCP knows no others. */
  readonly outputSchema?: JsonSchema;
  readonly annotations: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
  };
}

export function toOpenAITools(tools: readonly ToolDefinition[]): OpenAITool[] {
  return tools.map(({ chatName, description, inputSchema, strict }) => {
    const convert = strict ? toOpenAIStrictSchema : toOpenAISchema;
    const { schema, strict: isStrict } = convert(inputSchema.jsonSchema);
    return {
      type: 'function',
      function: {
        name: chatName,
        description,
        parameters: schema,
        ...(strict === undefined ? {} : { strict: isStrict }),
      },
    };
  });
}

export function toAnthropicTools(tools: readonly ToolDefinition[]): AnthropicTool[] {
  return tools.map(({ chatName, description, inputSchema }) => ({
    name: chatName,
    description,
    input_schema: toAnthropicSchema(inputSchema.jsonSchema).schema,
  }));
}

export function toMcpTools(tools: readonly ToolDefinition[]): McpTool[] {
  return tools.map(({ name, description, inputSchema, outputSchema, effect, idempotent }) => ({
    name,
    description,
    inputSchema: inputSchema.jsonSchema,
    ...(outputSchema?.jsonSchema.type === 'object'
      ? { outputSchema: outputSchema.jsonSchema }
      : {}),
    annotations:
      effect === undefined
        ? {}
        : {
            readOnlyHint: effect === 'read',
            destructiveHint: effect === 'destructive',
            idempotentHint: idempotent || effect === 'read',
          },
  }));
}
