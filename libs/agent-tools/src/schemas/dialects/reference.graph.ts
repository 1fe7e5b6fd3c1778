import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import { definitionOf, type CanonicalSchema } from './canonical-schema.js';
import { eachSubschema } from './subschemas.js';

/** Which definition leads to which, for finding recursion. */
export class ReferenceGraph {
  private readonly targets = new Map<string, ReadonlySet<string>>();

  /** @param onlyRequired whether references in properties that may be missing do not count */
  constructor(
    private readonly canonical: CanonicalSchema,
    private readonly onlyRequired: boolean,
  ) {}

  /** Whether a definition leads to another one; each leads to itself. */
  leads(from: string, to: string): boolean {
    const seen = new Set<string>();
    const open = [from];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (name === to) return true;
      if (seen.has(name)) continue;
      seen.add(name);
      open.push(...this.targetsOf(name));
    }
    return false;
  }

  private targetsOf(name: string): ReadonlySet<string> {
    const known = this.targets.get(name);
    if (known) return known;
    const found = new Set<string>();
    const schema = name === '' ? this.canonical.root : this.canonical.definitions.get(name);
    if (schema) this.collect(schema, found);
    this.targets.set(name, found);
    return found;
  }

  private collect(schema: JsonSchema, found: Set<string>): void {
    const target = typeof schema.$ref === 'string' ? definitionOf(schema.$ref) : undefined;
    if (target !== undefined) found.add(target);
    eachSubschema(schema, (child, keyword, name) => {
      if (typeof child !== 'object') return;
      const isOptional = keyword === 'properties' && !schema.required?.includes(name ?? '');
      if (!isOptional || !this.onlyRequired) this.collect(child, found);
    });
  }
}
