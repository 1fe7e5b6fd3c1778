import { ExactNumber } from '../json/exact-number.js';
import { accepts } from '../../schemas/shape/accepts.js';
import { readDate, readExactNumber, readText, type ReadScalar } from './read-scalar.js';
import { JsonType, typeOf, type SchemaShape } from '../../schemas/shape/schema-shape.js';

type Fields = Record<string, unknown>;

const MAX_LISTED = 20;
/** Text that may be a list written out, of which nobody knows how it is separated. */
const MAY_BE_LIST = /[,;\n]/;

/**
 * Reads the values of one call as their schema wants them, where there is one way to read them.
 * What has none stays as it is, for the validation to refuse. Values are copied where they change.
 */
export class ValueCoercer {
  private readonly path: (string | number)[] = [];

  constructor(
    /** Gets a line for each value that was read otherwise than written; never the value itself. */
    private readonly repairs: string[],
  ) {}

  coerce(shape: SchemaShape, value: unknown): unknown {
    let result = value;
    if (shape.all) for (const one of shape.all) result = this.coerce(one, result);
    if (shape.branches) result = this.coerceByBranch(shape.branches, result);
    if (result instanceof ExactNumber || (shape.types & typeOf(result)) === 0) {
      result = this.convert(shape, result);
    } else if (typeof result === 'string') return this.coerceText(shape, result);
    if (result === null || typeof result !== 'object') return result;
    if (Array.isArray(result)) return this.coerceItems(shape, result);
    return result instanceof ExactNumber ? result : this.coerceFields(shape, result as Fields);
  }

  /** A value that one branch takes as it is stays; else the only branch that can read it decides. */
  private coerceByBranch(branches: readonly SchemaShape[], value: unknown): unknown {
    if (branches.some((branch) => accepts(branch, value))) return value;
    const before = this.repairs.length;
    let reading: { value: unknown; repairs: string[] } | undefined;
    for (const branch of branches) {
      const coerced = this.coerce(branch, value);
      const repairs = this.repairs.splice(before);
      if (!accepts(branch, coerced)) continue;
      if (reading) return value;
      reading = { value: coerced, repairs };
    }
    if (!reading) return value;
    this.repairs.push(...reading.repairs);
    return reading.value;
  }

  private convert(shape: SchemaShape, value: unknown): unknown {
    const read = readAs(shape.types, value);
    if (read) {
      if ((shape.types & typeOf(read.value)) === 0) return value;
      this.report(`read as ${read.as}`);
      return read.value;
    }
    return shape.types & JsonType.array ? this.wrap(shape, value) : value;
  }

  /** One value where a list is wanted. */
  private wrap(shape: SchemaShape, value: unknown): unknown {
    const { items } = shape;
    if (!items || items.types === JsonType.any || value === null) return value;
    if (typeof value === 'object' && !(value instanceof ExactNumber)) return value;
    const before = this.repairs.length;
    const item = this.coerce(items, value);
    const isClear =
      accepts(items, item) &&
      (typeof item !== 'string' || items.values !== undefined || !looksLikeList(item));
    this.repairs.length = before;
    if (!isClear) return value;
    this.report('read as a list of one');
    return [item];
  }

  private coerceText({ folded, values, format }: SchemaShape, text: string): unknown {
    if (values && !values.includes(text)) {
      const value = folded?.get(text.toLowerCase());
      if (value === undefined) return text;
      this.report('read as one of the allowed values');
      return value;
    }
    const date = format === 'date' ? readDate(text) : undefined;
    if (!date) return text;
    this.report(`read as ${date.as}`);
    return date.value;
  }

  private coerceItems({ items }: SchemaShape, list: readonly unknown[]): readonly unknown[] {
    if (!items) return list;
    let result: unknown[] | undefined;
    for (const [index, item] of list.entries()) {
      this.path.push(index);
      const coerced = this.coerce(items, item);
      this.path.pop();
      if (coerced !== item) (result ??= [...list])[index] = coerced;
    }
    return result ?? list;
  }

  private coerceFields(shape: SchemaShape, fields: Fields): Fields {
    const { properties, additional } = shape;
    if (!properties) return fields;
    let result: Fields | undefined;
    for (const key in fields) {
      const property = properties.get(key);
      const schema = property ?? additional;
      if (!schema) continue;
      const value = fields[key];
      this.path.push(key);
      if (property && isLeftOut(property, value) && !shape.required?.has(key)) {
        this.report('taken as left out');
        delete (result ??= { ...fields })[key];
      } else {
        const coerced = this.coerce(schema, value);
        if (coerced !== value) (result ??= { ...fields })[key] = coerced;
      }
      this.path.pop();
    }
    return result ?? fields;
  }

  private report(what: string): void {
    if (this.repairs.length < MAX_LISTED) this.repairs.push(`${this.path.join('.')}: ${what}`);
  }
}

function readAs(types: number, value: unknown): ReadScalar | undefined {
  if (typeof value === 'string') return readText(value, types);
  return value instanceof ExactNumber ? readExactNumber(value, types) : undefined;
}

function looksLikeList(text: string): boolean {
  return MAY_BE_LIST.test(text) || text.trimStart().startsWith('[');
}

/** `null` and the empty text, where the schema takes neither, are how models leave a field out. */
function isLeftOut(shape: SchemaShape, value: unknown): boolean {
  if (value === null) return !accepts(shape, null);
  return value === '' && !accepts(shape, '');
}
