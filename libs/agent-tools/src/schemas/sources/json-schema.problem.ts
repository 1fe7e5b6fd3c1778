import type { StandardSchemaV1 } from '@standard-schema/spec';

/** What ajv reports for one keyword, with what is told about it. */
export interface JsonSchemaProblem {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly issues: readonly StandardSchemaV1.Issue[];
}
