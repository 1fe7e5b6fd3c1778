import type {
  DialectSchema,
  SchemaDialect,
  ToolSchemaDialects,
} from '../../schemas/dialects/interfaces/schema-dialect.interface.js';
import type { ObjectJsonSchema } from '../../schemas/interfaces/json-schema.interface.js';
import type { ChatModel } from '../interfaces/chat-model.interface.js';

interface Named {
  readonly name: string;
  readonly dialects: ToolSchemaDialects;
}

/**
 * What holds for all of some models: what one of them loses is lost, and only what all can be asked to
 * follow exactly is strict. Each model still converts the schemas by itself.
 */
export function combineToolSchemas(models: readonly ChatModel[]): ToolSchemaDialects | undefined {
  const named = models.flatMap(({ name, toolSchemas }) =>
    toolSchemas ? [{ name, dialects: toolSchemas }] : [],
  );
  if (named.length === 0) return undefined;
  const plain = combine(named, ({ dialects }, schema) => dialects.plain(schema));
  // Nobody would keep it, which the boot has words of its own for.
  if (named.every(({ dialects }) => !dialects.strict)) return { plain };
  return { plain, strict: combine(named, toStrict) };
}

function combine(
  models: readonly Named[],
  convert: (model: Named, schema: ObjectJsonSchema) => DialectSchema,
): SchemaDialect {
  return (schema) => {
    const converted = models.map((model) => convert(model, schema));
    return {
      schema: converted[0].schema,
      strict: converted.every(({ strict }) => strict),
      losses: [...new Set(converted.flatMap(({ losses }) => losses))],
      refusals: converted.flatMap(({ refusals }, index) =>
        refusals.map((refusal) => `${models[index].name}: ${refusal}`),
      ),
    };
  };
}

function toStrict({ dialects }: Named, schema: ObjectJsonSchema): DialectSchema {
  const { plain, strict } = dialects;
  return strict?.(schema) ?? { ...plain(schema), refusals: ['its server has no strict tools'] };
}
