import type { PatternNode } from './pattern.interface.js';
import { PatternParser } from './pattern.parser.js';
import { toRegExp } from './plain-schema.js';

const VARIANTS = 60;
const LONGER = 6;
const MAX_LENGTH = 1_000;

/** Texts that fit a pattern, the shortest first; none if the pattern is not understood. */
export function* patternSamples(pattern: string, minLength: number): Generator<string> {
  const test = toRegExp(pattern);
  if (!test) return;
  let root: PatternNode;
  try {
    root = new PatternParser(pattern).parse();
  } catch {
    return;
  }
  const more = Math.min(minLength, MAX_LENGTH) + LONGER;
  for (let variant = 0; variant < VARIANTS; variant++) {
    for (let extra = 0; extra <= more; extra++) {
      const text = new PatternWriter(variant, extra).write(root);
      if (test.test(text)) yield text;
    }
  }
}

/** Writes one text. Variants differ in the choices and the characters. */
class PatternWriter {
  private readonly groups = new Map<string, string>();
  private written = 0;

  /** @param extra How many repetitions more than needed there are in all. */
  constructor(
    private readonly variant: number,
    private extra: number,
  ) {}

  write(node: PatternNode): string {
    switch (node.type) {
      case 'characters':
        return this.pick(node.characters);
      case 'sequence':
        return node.items.map((item) => this.write(item)).join('');
      case 'choice':
        return this.write(node.options[Math.trunc(this.variant / 2) % node.options.length]);
      case 'repeat':
        return this.repeat(node.item, node.min, node.max);
      case 'group': {
        const text = this.write(node.item);
        for (const name of node.names) this.groups.set(name, text);
        return text;
      }
      case 'reference':
        return this.groups.get(node.name) ?? '';
    }
  }

  private repeat(item: PatternNode, min: number, max: number): string {
    const more = Math.min(this.extra, max - min);
    this.extra -= more;
    let text = '';
    for (let count = min + more; count > 0 && text.length <= MAX_LENGTH * 2; count--) {
      text += this.write(item);
    }
    return text;
  }

  /** Every second variant mixes characters, as patterns for passwords want them. */
  private pick(characters: readonly string[]): string {
    const offset = Math.trunc(this.variant / 2) + (this.variant % 2) * this.written++;
    return characters.length > 0 ? characters[offset % characters.length] : '';
  }
}
