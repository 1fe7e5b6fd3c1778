import type {
  DialectSchema,
  SchemaDialect,
  ToolSchemaDialects,
} from './interfaces/schema-dialect.interface.js';

/**
 * The same dialect, which converts a schema once, and not with each request.
 *
 * @publicApi
 */
export function cachedDialect(dialect: SchemaDialect): SchemaDialect {
  const converted = new WeakMap<object, DialectSchema>();
  return (schema) => {
    const known = converted.get(schema);
    if (known) return known;
    const made = dialect(schema);
    converted.set(schema, made);
    return made;
  };
}

/**
 * The same for those of one provider.
 *
 * @publicApi
 */
export function cachedDialects({ plain, strict }: ToolSchemaDialects): ToolSchemaDialects {
  return { plain: cachedDialect(plain), ...(strict && { strict: cachedDialect(strict) }) };
}
