import { lintStrict } from './strict.js';
import { hasLookaround, keysOf, walk, type Schema } from './walk.js';

const ALLOWED = (
  'type properties required additionalProperties items anyOf $ref enum title ' +
  'description format pattern minItems'
).split(' ');
const FORMATS = 'date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' ');

/** The rules of Anthropic's strict tools. */
export function lintAnthropicStrict(root: Schema): string[] {
  const violations = lintStrict(root, ALLOWED);
  let [optional, unions] = [0, 0];
  for (const [path, schema] of walk(root)) {
    const say = (text: string) => violations.push(`${path}: ${text}`);
    if (schema.format !== undefined && !FORMATS.includes(String(schema.format))) say('the format');
    if (schema.minItems !== undefined && Number(schema.minItems) > 1) say('minItems above 1');
    const pattern = String(schema.pattern ?? '');
    if (hasLookaround(pattern)) say('lookaround');
    if (/\\[1-9bB]|\\k</.test(pattern)) say('a reference or a border in the pattern');
    if (schema.$ref === '#' || isRecursive(root, schema)) say('recursion');
    const required = (schema.required ?? []) as string[];
    optional += keysOf(schema.properties).filter((name) => !required.includes(name)).length;
    unions += schema.anyOf || Array.isArray(schema.type) ? 1 : 0;
  }
  if (optional > 24) violations.push('#: too many optional properties');
  if (unions > 16) violations.push('#: too many unions');
  return violations;
}

function isRecursive(root: Schema, { $ref }: Schema): boolean {
  if (typeof $ref !== 'string') return false;
  const seen = new Set<string>();
  const open = targets(root, $ref);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === $ref) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...targets(root, next));
  }
  return false;
}

function targets(root: Schema, ref: string): string[] {
  const target = (root.$defs as Record<string, Schema>)?.[ref.slice('#/$defs/'.length)];
  if (!target) return [];
  return [...walk(target)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []));
}
