import type { JsonSchema, ObjectJsonSchema } from 'nestjs-agent-tools';
import { isRecord } from 'nestjs-agent-tools/model-kit';

/** Of one request, as Anthropic documents them. */
const MAX_TOOLS = 20;
const MAX_OPTIONAL = 24;
const MAX_UNIONS = 16;

/** What its limits count in a schema. */
interface Complexity {
  readonly optional: number;
  readonly unions: number;
}

const known = new WeakMap<object, Complexity>();
const SINGLE = new Set(['items', 'additionalProperties', 'not']);
const LISTS = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems']);
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

/** Counts the strict schemas of one request. */
export class StrictLimits {
  private tools = 0;
  private optional = 0;
  private unions = 0;

  /** The format of the answer counts as well, but for the number of tools. */
  addFormat(schema: ObjectJsonSchema): void {
    this.add(complexityOf(schema));
  }

  /** Whether one more tool may be strict. If so, it is counted. */
  admit(schema: ObjectJsonSchema): boolean {
    const complexity = complexityOf(schema);
    const isTooMuch =
      this.tools >= MAX_TOOLS ||
      this.optional + complexity.optional > MAX_OPTIONAL ||
      this.unions + complexity.unions > MAX_UNIONS;
    if (isTooMuch) return false;
    this.tools++;
    this.add(complexity);
    return true;
  }

  private add({ optional, unions }: Complexity): void {
    this.optional += optional;
    this.unions += unions;
  }
}

function complexityOf(schema: ObjectJsonSchema): Complexity {
  const counted = known.get(schema) ?? count(schema);
  known.set(schema, counted);
  return counted;
}

function count(root: JsonSchema): Complexity {
  let optional = 0;
  let unions = 0;
  const visit = (schema: unknown): void => {
    if (!isRecord(schema)) return;
    const { anyOf, type, properties, required } = schema;
    if (anyOf !== undefined || Array.isArray(type)) unions++;
    const needed = new Set<unknown>(Array.isArray(required) ? required : []);
    if (isRecord(properties)) {
      optional += Object.keys(properties).filter((name) => !needed.has(name)).length;
    }
    for (const [keyword, value] of Object.entries(schema)) {
      if (SINGLE.has(keyword)) visit(value);
      else if (LISTS.has(keyword) && Array.isArray(value)) value.forEach(visit);
      else if (MAPS.has(keyword) && isRecord(value)) Object.values(value).forEach(visit);
    }
  };
  visit(root);
  return { optional, unions };
}
