import { lintRoot } from './root.linter.js';
import { walk, type Schema } from './walk.js';

/** OpenAI and Anthropic without strict: JSON Schema 2020-12 with a plain object at the root. */
export function lintPlain(schema: Schema): string[] {
  const violations = lintRoot(schema);
  for (const [path, { items }] of walk(schema)) {
    if (Array.isArray(items)) violations.push(`${path}: a list of items, as in draft-07`);
  }
  return violations;
}
