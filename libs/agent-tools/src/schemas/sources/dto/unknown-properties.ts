import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ClassFacts, NestedShape } from './class-facts.js';
import { readClass } from './class-facts.reader.js';

type Issue = StandardSchemaV1.Issue;
type Path = readonly string[];

/**
 * What the input has and the class does not, in nested classes, too. It is looked for in the input
 * and not, as with class-validator's `whitelist`, in the instance, which also has the properties
 * that the class sets for itself.
 */
export function unknownProperties(
  input: object,
  facts: ClassFacts,
  path: Path = [],
  discriminator?: string,
): Issue[] {
  const issues: Issue[] = [];
  for (const [key, value] of Object.entries(input)) {
    const property = facts.byInputName.get(key);
    if (property?.nested) issues.push(...inNested(value, property.nested, [...path, key]));
    else if (!property && key !== discriminator) {
      issues.push({ path: [...path, key], message: `property ${key} should not exist` });
    }
  }
  return issues;
}

function inNested(value: unknown, nested: NestedShape, path: Path): Issue[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => inNested(item, nested, [...path, String(index)]));
  }
  if (value === null || typeof value !== 'object') {
    // class-transformer would look for the discriminator in it; other values are for the rules.
    return nested.kind === 'variants' && value !== undefined && path.at(-1)?.match(/^\d+$/)
      ? [{ path, message: 'must be an object' }]
      : [];
  }
  if (nested.kind === 'class') return unknownProperties(value, readClass(nested.target), path);
  const { discriminator, variants } = nested;
  const variant = (value as Record<string, unknown>)[discriminator];
  const target = variants.get(variant as string);
  if (target) return unknownProperties(value, readClass(target), path, discriminator);
  const allowed = JSON.stringify([...variants.keys()]);
  return [{ path: [...path, discriminator], message: `must be one of ${allowed}` }];
}
