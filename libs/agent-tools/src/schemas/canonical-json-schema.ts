import { canonicaliseKeywords } from './canonical-keywords.js';
import type { JsonSchema } from './interfaces/json-schema.interface.js';
import { mergeObjects } from './merge-objects.js';
import { forEachSubschema, mapSubschemas, pointerTo } from './subschemas.js';

const DEFINITIONS = '#/$defs/';

/**
 * The one form in which schemas go to models, whatever they were written in: draft 2020-12, all
 * references to `#` or `#/$defs/…`, no reference at the root. What is validated against stays the
 * original.
 */
export function canonicalJsonSchema(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, ...root } = schema;
  return isCanonical(root) ? root : new Canonicaliser(schema).run();
}

/** Keywords that may have to be written otherwise, or that say where others stand. */
const DOUBTFUL = new Set([
  '$id',
  '$anchor',
  '$ref',
  'definitions',
  'dependencies',
  'additionalItems',
  'anyOf',
  'oneOf',
  'allOf',
  'nullable',
  'example',
]);

/** Most schemas are canonical as they come from their library, which one look tells. */
function isCanonical(schema: JsonSchema): boolean {
  for (const keyword in schema) {
    if (DOUBTFUL.has(keyword)) return false;
  }
  const { type, items, exclusiveMinimum, exclusiveMaximum } = schema;
  const isPlain =
    (typeof type === 'string' || (type === undefined && schema.enum === undefined)) &&
    !Array.isArray(items) &&
    typeof exclusiveMinimum !== 'boolean' &&
    typeof exclusiveMaximum !== 'boolean' &&
    Object.getOwnPropertySymbols(schema).length === 0;
  if (!isPlain) return false;
  let areAll = true;
  forEachSubschema(schema, (child) => {
    areAll &&= isCanonical(child);
  });
  return areAll;
}

class Canonicaliser {
  /** By `$id` and anchor: where the schema stands in the result. */
  private readonly references = new Map<string, string>();
  private readonly hoisted = new Map<JsonSchema, string>();
  private readonly definitions: Record<string, JsonSchema> = {};
  private readonly rootId: string | undefined;

  constructor(private readonly root: JsonSchema) {
    this.rootId = typeof root.$id === 'string' ? root.$id : undefined;
    if (this.rootId !== undefined) this.references.set(this.rootId, '#');
  }

  run(): JsonSchema {
    const { $schema: _dialect, $id: _id, definitions, $defs, ...root } = this.root;
    const named = { ...(definitions as JsonSchema['$defs']), ...$defs };
    this.collectIds(this.root, '#', new Set(Object.keys(named)));
    const canonical = this.convert(root);
    for (const [name, definition] of Object.entries(named)) {
      this.definitions[name] = this.convert(definition);
    }
    return mergeObjects(this.withDefinitions(this.withoutRootReference(canonical)));
  }

  private collectIds(schema: JsonSchema, pointer: string, taken: Set<string>): void {
    forEachSubschema(schema, (child, place) => {
      const childPointer = pointerTo(pointer, place).replace('#/definitions/', DEFINITIONS);
      const anchor = typeof child.$anchor === 'string' ? `#${child.$anchor}` : undefined;
      const ids = [child.$id, anchor].filter((id) => typeof id === 'string');
      if (ids.length > 0) {
        const isDefinition = pointer === '#' && childPointer.startsWith(DEFINITIONS);
        const reference = isDefinition ? childPointer : DEFINITIONS + nameFor(ids[0], taken);
        if (!isDefinition) this.hoisted.set(child, reference);
        for (const id of ids) this.references.set(id, reference);
      }
      this.collectIds(child, childPointer, taken);
    });
  }

  private convert(schema: JsonSchema): JsonSchema {
    const reference = this.hoisted.get(schema);
    if (reference === undefined) return this.convertHere(schema);
    const name = reference.slice(DEFINITIONS.length);
    this.definitions[name] ??= this.convertHere(schema);
    return { $ref: reference };
  }

  private convertHere(given: JsonSchema): JsonSchema {
    const schema = withoutIds(given);
    const converted = mapSubschemas(schema, (child) => this.convert(child));
    const { $ref } = converted;
    return canonicaliseKeywords(
      typeof $ref === 'string' ? { ...converted, $ref: this.referenceOf($ref) } : converted,
    );
  }

  private referenceOf(reference: string): string {
    const known = this.references.get(reference);
    if (known !== undefined) return known;
    const local =
      this.rootId !== undefined && reference.startsWith(`${this.rootId}#`)
        ? reference.slice(this.rootId.length)
        : reference;
    return this.references.get(local) ?? local.replace(/^#\/definitions\//, DEFINITIONS);
  }

  /** A definition that only the root refers to is not needed any more. */
  private withoutRootReference(root: JsonSchema): JsonSchema {
    let current = root;
    const seen = new Set<string>();
    while (current.$ref?.startsWith(DEFINITIONS) && !seen.has(current.$ref)) {
      const { $ref, ...beside } = current;
      seen.add($ref);
      const name = $ref.slice(DEFINITIONS.length);
      const definition = this.definitions[name];
      if (!definition) break;
      current = { ...definition, ...beside };
      const isUsed = JSON.stringify([current, this.definitions]).includes(JSON.stringify($ref));
      if (!isUsed) delete this.definitions[name];
    }
    return current;
  }

  private withDefinitions(root: JsonSchema): JsonSchema {
    return Object.keys(this.definitions).length > 0 ? { ...root, $defs: this.definitions } : root;
  }
}

function withoutIds(schema: JsonSchema): JsonSchema {
  if (schema.$id === undefined && schema.$anchor === undefined) return schema;
  const { $id: _id, $anchor: _anchor, ...rest } = schema;
  return rest;
}

/** The end of an id, in letters that need no escape in a pointer. */
function nameFor(id: unknown, taken: Set<string>): string {
  const base =
    String(id)
      .split(/[/#]/)
      .at(-1)
      ?.replaceAll(/[^\w.-]/g, '_') || 'schema';
  let name = base;
  for (let suffix = 2; taken.has(name); suffix++) name = `${base}${suffix}`;
  taken.add(name);
  return name;
}
