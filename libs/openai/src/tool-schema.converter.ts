import {
  toOllamaSchema,
  toOpenAiSchema,
  toOpenAiStrictSchema,
  type ChatTool,
  type DialectSchema,
  type SchemaDialect,
  type ToolSchemaDialects,
} from 'nestjs-agent-tools';
import { isOllama, OPENAI_URL } from './server-url.js';

const OPENAI: ToolSchemaDialects = {
  plain: cached(toOpenAiSchema),
  strict: cached(toOpenAiStrictSchema),
};
const OLLAMA: ToolSchemaDialects = { plain: cached(toOllamaSchema) };

/** The dialects of the server behind a base URL. */
export function dialectsFor(baseURL = OPENAI_URL): ToolSchemaDialects {
  return isOllama(baseURL) ? OLLAMA : OPENAI;
}

/** A schema is converted once, and not with each request. */
export function cachedDialects({ plain, strict }: ToolSchemaDialects): ToolSchemaDialects {
  return { plain: cached(plain), ...(strict && { strict: cached(strict) }) };
}

/** `parameters`, and `strict` only if the schema has kept it or the tool refuses it. */
export function encodeSchema(
  { inputSchema, strict }: ChatTool,
  dialects: ToolSchemaDialects,
): Record<string, unknown> {
  const convert = (strict && dialects.strict) || dialects.plain;
  const converted = convert(inputSchema);
  const isSent = strict === false || (strict === true && converted.strict);
  return { parameters: converted.schema, ...(isSent && { strict }) };
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
