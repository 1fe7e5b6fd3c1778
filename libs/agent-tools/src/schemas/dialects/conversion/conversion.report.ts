import type { SchemaNode } from './schema-node.js';

/** Collects what a conversion could not keep. */
export class ConversionReport {
  private readonly lost = new Set<string>();
  private readonly refused = new Set<string>();

  /** @param isStrict whether what fails refuses the schema, and is not just lost */
  constructor(
    private readonly isStrict: boolean,
    private readonly root: SchemaNode,
  ) {}

  fail(path: string, reason: string): void {
    if (this.isStrict) this.refuse(path, reason);
    else this.lose(path);
  }

  /** @param path the keyword, as a JSON Pointer into the original */
  lose(path: string): void {
    this.lost.add(path);
  }

  refuse(path: string, reason: string): void {
    this.refused.add(path === '' ? reason : `${path}: ${reason}`);
  }

  get losses(): string[] {
    return this.root.withCovered(this.lost);
  }

  get refusals(): string[] {
    return [...this.refused];
  }
}
