import type {
  ChatTool,
  DialectSchema,
  ObjectJsonSchema,
  ToolSchemaDialects,
} from 'nestjs-agent-tools';
import { cachedDialect } from 'nestjs-agent-tools/model-kit';
import type { AiSdkSpecification } from '../interfaces/ai-sdk-language-model.interface.js';
import type { SdkPart } from '../interfaces/sdk-call.interface.js';

/** How a model takes input schemas. V2 has no mark for strict tools. */
export function dialectsFor(
  specification: AiSdkSpecification,
  given: ToolSchemaDialects | undefined,
): ToolSchemaDialects {
  const plain = given ? cachedDialect(given.plain) : asItIs;
  if (specification === 'v2') return { plain };
  const strict = given ? given.strict && cachedDialect(given.strict) : asItIsStrict;
  return strict ? { plain, strict } : { plain };
}

export function encodeTool(tool: ChatTool, { plain, strict }: ToolSchemaDialects): SdkPart {
  const converted = ((tool.strict && strict) || plain)(tool.inputSchema);
  return {
    type: 'function',
    name: tool.name,
    description: tool.description,
    inputSchema: converted.schema,
    ...(tool.strict && converted.strict && { strict: true }),
  };
}

function asItIs(schema: ObjectJsonSchema): DialectSchema {
  return { schema, strict: false, losses: [], refusals: [] };
}

function asItIsStrict(schema: ObjectJsonSchema): DialectSchema {
  return { schema, strict: true, losses: [], refusals: [] };
}
