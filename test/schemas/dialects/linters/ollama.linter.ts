import { lintRoot } from './root.linter.js';
import { keysOf, typeList, unknownKeywords, walk, type Schema } from './walk.js';

const ALLOWED = ['type', 'items', 'description', 'enum', 'anyOf', 'properties', 'required'];

/** What the structs of Ollama hold, and llama.cpp can compile. */
export function lintOllama(root: Schema): string[] {
  const violations = lintRoot(root);
  for (const [path, schema] of walk(root)) {
    const say = (text: string) => violations.push(`${path}: ${text}`);
    for (const keyword of unknownKeywords(schema, ALLOWED)) say(keyword);
    if (schema.anyOf && (schema.properties || schema.items)) say('anyOf beside others');
    if (schema.enum && typeList(schema).length === 0) say('an enum without a type');
    const undescribed = ((schema.required ?? []) as string[]).filter(
      (name) => !keysOf(schema.properties).includes(name),
    );
    if (undescribed.length > 0) say('requires what is not described');
  }
  return violations;
}
