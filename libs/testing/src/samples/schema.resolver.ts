import type { JsonSchema } from 'nestjs-agent-tools';
import { isRecord } from 'nestjs-agent-tools/model-kit';
import { toSchema, type AnySchema } from './plain-schema.js';

/** Finds what the references of one schema lead to. */
export class SchemaResolver {
  private readonly found = new Map<string, AnySchema | undefined>();

  constructor(private readonly root: JsonSchema) {}

  /** @returns undefined if the reference leads nowhere, or out of the schema */
  resolve(ref: string): AnySchema | undefined {
    if (!this.found.has(ref)) this.found.set(ref, this.find(ref));
    return this.found.get(ref);
  }

  private find(ref: string): AnySchema | undefined {
    const { root } = this;
    if (ref === '#') return root;
    if (ref.startsWith('#/')) return toSchema(this.follow(ref.slice(2)));
    return this.search(root, (schema) =>
      [`#${String(schema.$anchor)}`, `#${String(schema.$dynamicAnchor)}`, schema.$id].includes(ref),
    );
  }

  private follow(pointer: string): unknown {
    let value: unknown = this.root;
    for (const step of pointer.split('/')) {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
        return undefined;
      value = (value as Record<string, unknown>)[name];
    }
    return value;
  }

  private search(value: unknown, fits: (schema: JsonSchema) => boolean): JsonSchema | undefined {
    if (isRecord(value) && fits(value)) return value;
    if (typeof value !== 'object' || value === null) return undefined;
    for (const inner of Object.values(value)) {
      const result = this.search(inner, fits);
      if (result) return result;
    }
    return undefined;
  }
}
