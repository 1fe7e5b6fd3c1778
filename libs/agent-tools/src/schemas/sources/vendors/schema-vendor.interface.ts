import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import type { SchemaSide } from '../../interfaces/tool-schema.interface.js';
import type { Remedies } from '../../undescribable.js';

/** What is known about a schema library beyond the interfaces that it shares with others. */
export interface SchemaVendor {
  /** Options that make its converter mark what it cannot describe, in place of a bare error. */
  optionsFor(side: SchemaSide): Record<string, unknown>;
  /** What to write for a type that JSON does not know. */
  readonly remedies: Remedies;
  /** What to write for an array without a type of items. */
  readonly itemsRemedy: string;
  /** For a library that does not describe itself. */
  convert?(source: unknown, side: SchemaSide): JsonSchema;
}
