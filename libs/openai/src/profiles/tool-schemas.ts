import {
  toOllamaSchema,
  toOpenAISchema,
  toOpenAIStrictSchema,
  type ToolSchemaDialects,
} from 'nestjs-agent-tools';
import { cachedDialect } from 'nestjs-agent-tools/model-kit';

export const OPENAI_SCHEMAS: ToolSchemaDialects = {
  plain: cachedDialect(toOpenAISchema),
  strict: cachedDialect(toOpenAIStrictSchema),
};

/** For servers that know nothing of strict tools. */
export const OPENAI_PLAIN_SCHEMAS: ToolSchemaDialects = { plain: OPENAI_SCHEMAS.plain };

export const OLLAMA_SCHEMAS: ToolSchemaDialects = { plain: cachedDialect(toOllamaSchema) };
