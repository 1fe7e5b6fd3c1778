import type { EnumSource } from '../interfaces/schema-source.interface.js';
import type { ParameterField } from '../interfaces/parameter-field.interface.js';
import { jsonTypeOf } from '../canonical-keywords.js';
import { SchemaException } from '../schema.exception.js';
import { describeBuiltIn, isBuiltIn } from './built-in-type.source.js';
import { arrayOf, fromClass, fromFieldType, type FieldSchema } from './field-type.source.js';
import { listValues } from './issue-texts.js';

/** The schema of one `@ToolParam`: its own `schema`, `type` or `enum`, or the parameter's type. */
export function createFieldSchema(field: ParameterField): FieldSchema {
  const schema = describeField(field);
  // Within the schema of the whole input, "#" and every path but that of a definition lead elsewhere.
  if (/"\$ref":"#(?!\/\$defs\/)/.test(JSON.stringify(schema.jsonSchema))) {
    throw new SchemaException(
      `The type of parameter "${field.name}" refers to itself, which only a whole input can. ` +
        'Take the whole input with @ToolInput().',
    );
  }
  return schema;
}

function describeField(field: ParameterField): FieldSchema {
  const { name, schema, type, enum: values, designType } = field;
  refuseContradiction(field);
  if (schema !== undefined) return fromClass(schema);
  if (values) {
    const item = fromEnum(valuesOf(values));
    return Array.isArray(type) || (type === undefined && designType === Array)
      ? arrayOf(item)
      : item;
  }
  if (type !== undefined) return fromFieldType(type, name);
  const isDescribable =
    describeBuiltIn(designType) !== undefined ||
    (typeof designType === 'function' && !isBuiltIn(designType));
  if (isDescribable) return fromFieldType(designType, name);
  throw new SchemaException(
    `The type of parameter "${name}" cannot be described: TypeScript's metadata says ` +
      `${nameOf(designType)}. Write @ToolParam('${name}', { schema: … }) or ` +
      `@ToolParam('${name}', ${designType === Array ? '{ type: [String] }' : '{ type: … }'}).`,
  );
}

function refuseContradiction({ name, schema, type, enum: values }: ParameterField): void {
  if (schema !== undefined && values) {
    throw new SchemaException(
      `Parameter "${name}" has both \`schema\` and \`enum\`. Put the values into the schema.`,
    );
  }
  if (schema !== undefined && type !== undefined) {
    throw new SchemaException(
      `Parameter "${name}" has both \`schema\` and \`type\`. Keep the schema.`,
    );
  }
  if (values && type !== undefined && !Array.isArray(type)) {
    throw new SchemaException(
      `Parameter "${name}" has both \`enum\` and a \`type\` that is not a list. Keep the \`enum\`; ` +
        'write `type: [String]` beside it for an array of its values.',
    );
  }
}

/** An enum object of TypeScript has its numbers as keys too, for the way back to the names. */
function valuesOf(source: EnumSource): readonly unknown[] {
  if (Array.isArray(source)) return source as readonly unknown[];
  const entries = Object.entries(source).filter(([key]) => Number.isNaN(Number(key)));
  return [...new Set(entries.map(([, value]) => value as unknown))];
}

function fromEnum(values: readonly unknown[]): FieldSchema {
  if (values.length === 0) throw new SchemaException('An `enum` has no values. Write them out.');
  const types = [...new Set(values.map(jsonTypeOf))];
  return {
    jsonSchema: { type: types.length === 1 ? types[0] : types, enum: values },
    validate: (value) =>
      values.includes(value)
        ? { value }
        : { issues: [{ message: `must be one of ${listValues(values)}` }] },
  };
}

function nameOf(type: unknown): string {
  if (type === undefined) return 'nothing (is "emitDecoratorMetadata" on?)';
  return typeof type === 'function' ? type.name : JSON.stringify(type);
}
