import {
  toOllamaSchema,
  toOpenAiSchema,
  toOpenAiStrictSchema,
  type DialectSchema,
  type SchemaDialect,
  type ToolSchemaDialects,
} from 'nestjs-agent-tools';

export const OPENAI_SCHEMAS: ToolSchemaDialects = {
  plain: cached(toOpenAiSchema),
  strict: cached(toOpenAiStrictSchema),
};

/** For servers that know nothing of strict tools. */
export const OPENAI_PLAIN_SCHEMAS: ToolSchemaDialects = { plain: OPENAI_SCHEMAS.plain };

export const OLLAMA_SCHEMAS: ToolSchemaDialects = { plain: cached(toOllamaSchema) };

/** A schema is converted once, and not with each request. */
export function cachedDialects({ plain, strict }: ToolSchemaDialects): ToolSchemaDialects {
  return { plain: cached(plain), ...(strict && { strict: cached(strict) }) };
}

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
