import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import type { ConversionReport } from '../conversion.report.js';
import type { KeywordConverter } from '../keyword.converter.js';
import type { SchemaNode, SchemaOrigins } from '../schema-node.js';
import type { Scope } from '../schema.flattener.js';
import type { DialectRules } from './dialect-rules.interface.js';

/** What the parts of one conversion share. */
export interface ConversionParts {
  readonly rules: DialectRules;
  readonly origins: SchemaOrigins;
  readonly report: ConversionReport;
  readonly keywords: KeywordConverter;
  /** Converts a schema within the one at hand. */
  readonly visit: (node: SchemaNode, scope: Scope) => JsonSchema;
}
