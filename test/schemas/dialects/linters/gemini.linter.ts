import { lintReference, lintRoot } from './root.linter.js';
import { keysOf, typeList, unknownKeywords, walk, type Schema } from './walk.js';

const ALLOWED = (
  '$id $defs $ref $anchor type format title description enum items prefixItems ' +
  'minItems maxItems minimum maximum anyOf oneOf properties additionalProperties ' +
  'required propertyOrdering'
).split(' ');

/** The rules of Gemini's `parametersJsonSchema`. */
export function lintGemini(root: Schema): string[] {
  const violations = lintRoot(root);
  for (const [path, schema] of walk(root)) {
    const say = (text: string) => violations.push(`${path}: ${text}`);
    for (const keyword of unknownKeywords(schema, ALLOWED)) say(keyword);
    violations.push(...lintReference(root, path, schema));
    if ('$ref' in schema && Object.keys(schema).some((key) => !key.startsWith('$'))) {
      say('siblings of $ref');
    }
    const values = (schema.enum ?? []) as unknown[];
    if (!values.every((value) => ['string', 'number'].includes(typeof value))) say('the enum');
    if ('enum' in schema && typeList(schema).length !== 1) say('an enum without one type');
    if (typeList(schema).includes('string') && 'format' in schema) say('a format of strings');
    const undescribed = ((schema.required ?? []) as string[]).filter(
      (name) => !keysOf(schema.properties).includes(name),
    );
    if (undescribed.length > 0) say('requires what is not described');
  }
  for (const name of ['', ...keysOf(root.$defs)]) {
    if (comesBack(root, name)) violations.push(`#/$defs/${name}: recursion that must be followed`);
  }
  return violations;
}

/** Whether a definition requires itself, directly or through others. */
function comesBack(root: Schema, name: string): boolean {
  const seen = new Set<string>();
  const open = required(definition(root, name));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === name) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...required(definition(root, next)));
  }
  return false;
}

function definition({ $defs, ...root }: Schema, name: string): Schema {
  return name === '' ? root : (($defs as Record<string, Schema>)[name] ?? {});
}

function required(schema: Schema): string[] {
  const { $ref } = schema;
  const names = (schema.required ?? []) as string[];
  const children = [
    ...Object.entries((schema.properties ?? {}) as Record<string, Schema>)
      .filter(([name]) => names.includes(name))
      .map(([, child]) => child),
    ...((schema.anyOf ?? []) as Schema[]),
    ...((schema.prefixItems ?? []) as Schema[]),
    ...(schema.items && typeof schema.items === 'object' ? [schema.items as Schema] : []),
  ];
  return [
    ...(typeof $ref === 'string' ? [$ref === '#' ? '' : $ref.slice('#/$defs/'.length)] : []),
    ...children.flatMap(required),
  ];
}
