import {
  toAnthropicSchema,
  toAnthropicStrictSchema,
  type ToolSchemaDialects,
} from 'nestjs-agent-tools';
import { cachedDialect } from 'nestjs-agent-tools/model-kit';
import { findClaudeModel } from './claude-model.js';

export const STRICT_SCHEMAS = {
  plain: cachedDialect(toAnthropicSchema),
  strict: cachedDialect(toAnthropicStrictSchema),
} satisfies ToolSchemaDialects;

/** For models that know nothing of strict tools. */
const PLAIN_SCHEMAS: ToolSchemaDialects = { plain: STRICT_SCHEMAS.plain };

export function toolSchemasOf(model: string): ToolSchemaDialects {
  return findClaudeModel(model).structured ? STRICT_SCHEMAS : PLAIN_SCHEMAS;
}
