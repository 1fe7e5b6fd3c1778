import { toGeminiSchema, type SchemaDialect, type ToolSchemaDialects } from 'nestjs-agent-tools';
import { cachedDialect } from 'nestjs-agent-tools/model-kit';

/** What the schema as it is sent does not say, no mode of the server can make the model follow. */
const toStrictSchema: SchemaDialect = (schema) => {
  const converted = toGeminiSchema(schema);
  const { losses } = converted;
  return { ...converted, strict: losses.length === 0, refusals: losses };
};

export const GEMINI_SCHEMAS: ToolSchemaDialects = {
  plain: cachedDialect(toGeminiSchema),
  strict: cachedDialect(toStrictSchema),
};
