import type { ObjectJsonSchema } from '../schemas/interfaces/json-schema.interface.js';

/** With one of these at the root, the properties alone do not say which keys are allowed. */
const OPEN_KEYWORDS = [
  'patternProperties',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  'if',
  'dependentSchemas',
];

/** The keys that the input of a tool may have; undefined if it may have any. */
export function allowedKeysOf(schema: ObjectJsonSchema): ReadonlySet<string> | undefined {
  const { additionalProperties = false } = schema;
  const isOpen = additionalProperties !== false || OPEN_KEYWORDS.some((key) => key in schema);
  return isOpen ? undefined : new Set(Object.keys(schema.properties));
}
