import {
  toAnthropicSchema,
  toAnthropicStrictSchema,
  type DialectSchema,
  type SchemaDialect,
  type ToolSchemaDialects,
} from 'nestjs-agent-tools';
import { findClaudeModel } from './claude-model.js';

export const STRICT_SCHEMAS = {
  plain: cached(toAnthropicSchema),
  strict: cached(toAnthropicStrictSchema),
} satisfies ToolSchemaDialects;

/** For models that know nothing of strict tools. */
const PLAIN_SCHEMAS: ToolSchemaDialects = { plain: STRICT_SCHEMAS.plain };

export function toolSchemasOf(model: string): ToolSchemaDialects {
  return findClaudeModel(model).structured ? STRICT_SCHEMAS : PLAIN_SCHEMAS;
}

/** A schema is converted once, and not with each request. */
function cached(dialect: SchemaDialect): SchemaDialect {
  const converted = new WeakMap<object, DialectSchema>();
  return (schema) => {
    const known = converted.get(schema);
    if (known) return known;
    const made = dialect(schema);
    converted.set(schema, made);
    return made;
  };
}
