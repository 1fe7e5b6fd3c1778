import { canonicalJsonSchema } from '../canonical-json-schema.js';
import { createToolSchema } from '../create-tool-schema.js';
import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import type { ToolOutputSchema } from '../interfaces/tool-schema.interface.js';
import { refuseCycles } from '../refuse-cycles.js';
import { refuseUndescribable } from '../undescribable.js';
import { jsonSchemaValidator } from './json-schema.validator.js';

const KEYWORDS = [
  'type',
  'properties',
  '$schema',
  '$ref',
  'anyOf',
  'oneOf',
  'allOf',
  'enum',
  'const',
];

/** Types that TypeBox has and JSON does not. Others are found by the meta-schema. */
const REMEDIES = {
  Date: "Type.String({ format: 'date-time' })",
  bigint: 'Type.Integer(), or Type.String() for its digits,',
  undefined: 'Type.Optional()',
  void: 'Type.Optional()',
  Uint8Array: "Type.String({ contentEncoding: 'base64' })",
};

/** A raw JSON Schema, draft 2020-12 or draft-07, or one that TypeBox made. */
export function fromJsonSchema(source: unknown): ToolOutputSchema | undefined {
  if (!isJsonSchema(source)) return undefined;
  refuseCycles(source);
  const canonical = canonicalJsonSchema(source);
  refuseUndescribable(canonical, REMEDIES);
  const validate = jsonSchemaValidator(source, canonical);
  return createToolSchema(isTypeBox(source) ? 'typebox' : 'json-schema', canonical, validate);
}

function isJsonSchema(source: unknown): source is JsonSchema {
  if (source === null || typeof source !== 'object' || Array.isArray(source)) return false;
  const keys = Object.keys(source);
  return keys.length === 0 || KEYWORDS.some((keyword) => keys.includes(keyword));
}

/** 0.34 marks its schemas with a symbol, 1.x with a hidden property. */
function isTypeBox(source: JsonSchema): boolean {
  return Symbol.for('TypeBox.Kind') in source || '~kind' in source;
}
