import type { JsonSchema } from './interfaces/json-schema.interface.js';
import { accepts } from './shape/accepts.js';
import { compileShape } from './shape/shape.compiler.js';
import { forEachSubschema, isSchemaObject, resolveReference } from './subschemas.js';

/** A branch of `anyOf` or `oneOf`, and the value with the defaults that it has for it. */
export interface BranchCandidate {
  readonly branch: JsonSchema;
  readonly value: unknown;
}

/** The candidates whose branch accepts their value. */
export type ChooseBranches = (candidates: readonly BranchCandidate[]) => readonly BranchCandidate[];

/**
 * Makes the function that fills in the defaults of a canonical schema: in nested objects, in items,
 * behind references, and in the branch of a union if exactly one accepts the value. What comes in is
 * never changed.
 *
 * @returns undefined if the schema has no default, so that nothing need be walked at a call
 */
export function createDefaultsFiller(
  root: JsonSchema,
  choose: ChooseBranches,
): ((value: unknown) => unknown) | undefined {
  if (!holdsDefault(root)) return undefined;
  return (value) => new DefaultsFiller(root, choose).fill(root, value);
}

function holdsDefault(schema: JsonSchema): boolean {
  if ('default' in schema) return true;
  let found = false;
  forEachSubschema(schema, (child) => {
    found ||= holdsDefault(child);
  });
  return found;
}

const usable = new WeakMap<JsonSchema, boolean>();

class DefaultsFiller {
  /** Schemas whose default is being filled in itself: a default may hold its own schema again. */
  private readonly open = new Set<JsonSchema>();
  /** What unions made of values, so that nested ones are not filled again for each branch. */
  private readonly unions = new Map<readonly JsonSchema[], WeakMap<object, unknown>>();

  constructor(
    private readonly root: JsonSchema,
    private readonly choose: ChooseBranches,
  ) {}

  fill(schema: JsonSchema | boolean | undefined, value: unknown): unknown {
    if (!isSchemaObject(schema)) return value;
    let filled = value;
    if (schema.$ref !== undefined) {
      const target = resolveReference(this.root, schema.$ref);
      // A reference that leads back to itself says nothing about the value.
      if (target && !this.isLoop(target)) filled = this.fill(target, filled);
    }
    for (const part of schemasOf(schema.allOf)) filled = this.fill(part, filled);
    if (Array.isArray(filled)) filled = this.fillItems(schema, filled);
    else if (isSchemaObject(filled)) filled = this.fillProperties(schema, filled);
    for (const union of [schema.anyOf, schema.oneOf]) filled = this.fillUnion(union, filled);
    return filled;
  }

  private fillProperties(schema: JsonSchema, value: Record<string, unknown>): unknown {
    let copy = value;
    const set = (key: string, item: unknown) => {
      if (item === value[key]) return;
      if (copy === value) copy = { ...value };
      copy[key] = item;
    };
    const { properties = {}, additionalProperties } = schema;
    for (const [key, property] of Object.entries(properties)) {
      if (key === '__proto__') continue;
      const given = Object.hasOwn(value, key) ? value[key] : undefined;
      set(key, given === undefined ? this.defaultOf(property) : this.fill(property, given));
    }
    if (!isSchemaObject(additionalProperties)) return copy;
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(properties, key)) set(key, this.fill(additionalProperties, value[key]));
    }
    return copy;
  }

  private fillItems(schema: JsonSchema, values: readonly unknown[]): readonly unknown[] {
    const first = schemasOf(schema.prefixItems);
    const rest = schema.items as JsonSchema | undefined;
    const filled = values.map((value, index) => this.fill(first[index] ?? rest, value));
    return filled.some((value, index) => value !== values[index]) ? filled : values;
  }

  private fillUnion(union: unknown, value: unknown): unknown {
    const branches = schemasOf(union);
    if (branches.length === 0) return value;
    if (value === null || typeof value !== 'object') return this.fillBranch(branches, value);
    let known = this.unions.get(branches);
    if (!known) this.unions.set(branches, (known = new WeakMap()));
    if (!known.has(value)) known.set(value, this.fillBranch(branches, value));
    return known.get(value);
  }

  private fillBranch(branches: readonly JsonSchema[], value: unknown): unknown {
    const candidates = branches.map((branch) => ({ branch, value: this.fill(branch, value) }));
    const fitting = this.choose(candidates);
    return fitting.length === 1 ? fitting[0].value : value;
  }

  /** Every call gets a default of its own: the method may change it. */
  private defaultOf(schema: JsonSchema): unknown {
    const holder = this.holderOf(schema);
    if (!holder || this.open.has(holder) || !this.isUsable(holder)) return undefined;
    this.open.add(holder);
    try {
      return this.fill(schema, structuredClone(holder.default));
    } finally {
      this.open.delete(holder);
    }
  }

  /** A default that its own schema refuses (`null`, often) would fail every call that leaves it out. */
  private isUsable(holder: JsonSchema): boolean {
    const known = usable.get(holder);
    if (known !== undefined) return known;
    const isAccepted = accepts(compileShape(this.root, holder), holder.default);
    usable.set(holder, isAccepted);
    return isAccepted;
  }

  private holderOf(schema: JsonSchema): JsonSchema | undefined {
    const seen = new Set<JsonSchema>();
    let holder: JsonSchema | undefined = schema;
    while (holder && !('default' in holder) && !seen.has(holder)) {
      seen.add(holder);
      holder = holder.$ref === undefined ? undefined : resolveReference(this.root, holder.$ref);
    }
    return holder && 'default' in holder ? holder : undefined;
  }

  private isLoop(target: JsonSchema): boolean {
    const seen = new Set<JsonSchema>();
    let next: JsonSchema | undefined = target;
    while (next?.$ref !== undefined) {
      if (seen.has(next)) return true;
      seen.add(next);
      next = resolveReference(this.root, next.$ref);
    }
    return false;
  }
}

function schemasOf(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? (value as readonly JsonSchema[]) : [];
}
