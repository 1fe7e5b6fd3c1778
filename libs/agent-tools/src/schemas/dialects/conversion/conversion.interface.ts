import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import type { ConversionReport } from './conversion.report.js';
import type { DialectRules } from './dialect-rules.js';
import type { Definitions } from './definitions.js';
import type { KeywordConverter } from './keyword.converter.js';
import type { SchemaNode } from './schema-node.js';
import type { SchemaFlattener, Scope } from './schema.flattener.js';

/** What the converters of one conversion share. */
export interface Conversion {
  readonly rules: DialectRules;
  readonly report: ConversionReport;
  readonly definitions: Definitions;
  readonly flattener: SchemaFlattener;
  readonly keywords: KeywordConverter;
  /** Converts a schema within the one at hand. */
  convert(node: SchemaNode, scope: Scope): JsonSchema;
}
