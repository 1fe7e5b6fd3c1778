import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { forEachSubschema } from '../../subschemas.js';
import type { Definitions } from './definitions.js';
import { definitionOf } from './hoist-definitions.js';

/** Which definition leads to which, for finding recursion. */
export class ReferenceGraph {
  private readonly targets = new Map<string, ReadonlySet<string>>();

  /** @param onlyRequired whether references in properties that may be missing do not count */
  constructor(
    private readonly definitions: Definitions,
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
    this.collect(this.definitions.schemaOf(name) ?? {}, found);
    this.targets.set(name, found);
    return found;
  }

  private collect(schema: JsonSchema, found: Set<string>): void {
    const target = typeof schema.$ref === 'string' ? definitionOf(schema.$ref) : undefined;
    if (target !== undefined) found.add(target);
    forEachSubschema(schema, (child, { keyword, key }) => {
      const isOptional = keyword === 'properties' && !schema.required?.includes(String(key));
      if (!isOptional || !this.onlyRequired) this.collect(child, found);
    });
  }
}
