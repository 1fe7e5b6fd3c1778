import type { Type } from '@nestjs/common';

const PREFIX = '#/$defs/';

/** Names for `$defs`: one for each class, or for each variant of it that a discriminator names. */
export class DefinitionNames {
  private readonly references = new Map<Type, Map<string | undefined, string>>();
  private readonly taken = new Set<string>();

  set(target: Type, reference: string): void {
    this.references.set(target, new Map([[undefined, reference]]));
  }

  find(target: Type, variant?: string): string | undefined {
    return this.references.get(target)?.get(variant);
  }

  add(target: Type, variant?: string): string {
    const base = target.name.replaceAll(/[^\w.-]/g, '_') || 'Class';
    let name = base;
    for (let suffix = 2; this.taken.has(name); suffix++) name = `${base}${suffix}`;
    this.taken.add(name);
    const own = this.references.get(target) ?? new Map<string | undefined, string>();
    own.set(variant, PREFIX + name);
    this.references.set(target, own);
    return name;
  }
}
