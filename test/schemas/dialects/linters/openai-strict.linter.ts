import { lintStrict } from './strict.js';
import { hasLookaround, keysOf, typeList, walk, type Schema } from './walk.js';

const ALLOWED = (
  'type properties required additionalProperties items anyOf $ref enum title ' +
  'description format pattern multipleOf minimum maximum exclusiveMinimum ' +
  'exclusiveMaximum minItems maxItems'
).split(' ');
const FORMATS = 'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' ');

/** The rules of OpenAI's strict tools. */
export function lintOpenAiStrict(root: Schema): string[] {
  const violations = lintStrict(root, ALLOWED);
  let [properties, characters, values] = [0, 0, 0];
  for (const [path, schema] of walk(root)) {
    const say = (text: string) => violations.push(`${path}: ${text}`);
    if (schema.format !== undefined && !FORMATS.includes(String(schema.format))) say('the format');
    if (hasLookaround(schema.pattern)) say('lookaround');
    const names = keysOf(schema.properties);
    const required = (schema.required ?? []) as string[];
    if (typeList(schema).includes('object') && names.some((name) => !required.includes(name))) {
      say('a property that is not required');
    }
    const list = (schema.enum ?? []) as unknown[];
    properties += names.length;
    values += list.length;
    characters += [...names, ...keysOf(schema.$defs), ...list].map(String).join('').length;
    if (list.length > 250 && list.map(String).join('').length > 15_000) say('a large enum');
  }
  if (properties > 5_000) violations.push('#: too many properties');
  if (characters > 120_000) violations.push('#: too many characters');
  if (values > 1_000) violations.push('#: too many enum values');
  if (depthOf(root, root, []) > 10) violations.push('#: too deep');
  return violations;
}

function depthOf(root: Schema, schema: Schema, inside: readonly string[]): number {
  const { $ref } = schema;
  if (typeof $ref === 'string') {
    if ($ref === '#' || inside.includes($ref)) return 0;
    const target = (root.$defs as Record<string, Schema>)[$ref.slice('#/$defs/'.length)];
    return target ? depthOf(root, target, [...inside, $ref]) : 0;
  }
  const own = ['object', 'array'].includes(String(schema.type)) ? 1 : 0;
  const children = [
    ...Object.values((schema.properties ?? {}) as Record<string, Schema>),
    ...((schema.anyOf ?? []) as Schema[]),
    ...(schema.items ? [schema.items as Schema] : []),
  ];
  return own + Math.max(0, ...children.map((child) => depthOf(root, child, inside)));
}
