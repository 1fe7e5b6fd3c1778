import {
  toGeminiSchema,
  type DialectSchema,
  type SchemaDialect,
  type ToolSchemaDialects,
} from 'nestjs-agent-tools';

/** What the schema as it is sent does not say, no mode of the server can make the model follow. */
const toStrictSchema: SchemaDialect = (schema) => {
  const converted = toGeminiSchema(schema);
  const { losses } = converted;
  return { ...converted, strict: losses.length === 0, refusals: losses };
};

export const GEMINI_SCHEMAS: ToolSchemaDialects = {
  plain: cached(toGeminiSchema),
  strict: cached(toStrictSchema),
};

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
