import type {
  ChatTool,
  DialectSchema,
  ObjectJsonSchema,
  ToolSchemaDialects,
} from 'nestjs-agent-tools';
import { cachedDialect, convertInputSchema, unchangedDialect } from 'nestjs-agent-tools/model-kit';
import type { AiSdkSpecification } from '../interfaces/ai-sdk-language-model.interface.js';
import type { SdkPart } from '../interfaces/sdk-call.interface.js';

/** How a model takes input schemas. V2 has no mark for strict tools. */
export function dialectsFor(
  specification: AiSdkSpecification,
  given: ToolSchemaDialects | undefined,
): ToolSchemaDialects {
  const plain = given ? cachedDialect(given.plain) : unchangedDialect;
  if (specification === 'v2') return { plain };
  const strict = given ? given.strict && cachedDialect(given.strict) : asItIsStrict;
  return strict ? { plain, strict } : { plain };
}

export function encodeTool(tool: ChatTool, dialects: ToolSchemaDialects): SdkPart {
  const converted = convertInputSchema(tool, dialects);
  return {
    type: 'function',
    name: tool.name,
    description: tool.description,
    inputSchema: converted.schema,
    ...(tool.strict && converted.strict && { strict: true }),
  };
}

function asItIsStrict(schema: ObjectJsonSchema): DialectSchema {
  return { ...unchangedDialect(schema), strict: true };
}
