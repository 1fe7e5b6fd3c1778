import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { foreignType } from './foreign-type.js';
import type { SchemaVendor } from './schema-vendor.interface.js';

/** What arktype tells of a part that has no JSON Schema. */
interface ArktypeConversion {
  readonly code: string;
  /** The part as far as it can be described; empty for a foreign type. */
  readonly base: JsonSchema;
  readonly domain?: unknown;
  readonly proto?: { readonly name?: string };
  readonly unit?: unknown;
}

export const ARKTYPE: SchemaVendor = {
  optionsFor: (side) => ({
    fallback: (conversion: ArktypeConversion): JsonSchema =>
      Object.keys(conversion.base).length > 0
        ? conversion.base
        : foreignType(nameOf(conversion), side),
  }),
  remedies: {
    date: '"string.date.iso.parse"',
    bigint: '"number.integer", or "string.digits",',
    Map: '"Record<string, …>"',
    Set: 'an array',
    undefined: 'an optional key ("name?")',
    other: 'a type that JSON knows',
  },
  itemsRemedy: '"string[]", for example',
};

function nameOf({ code, domain, proto, unit }: ArktypeConversion): string {
  switch (code) {
    case 'domain':
      return String(domain);
    case 'proto':
      return String(proto?.name);
    case 'unit':
      return String(unit);
    default:
      return code;
  }
}
