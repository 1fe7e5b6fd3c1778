import { ShapeMatcher } from '../../schemas/shape/accepts.js';
import {
  foldCase,
  hasParts,
  JsonType,
  typeOf,
  type SchemaShape,
} from '../../schemas/shape/schema-shape.js';
import { redactCredentials } from '../../utils/redact-credentials.js';
import { cutText } from '../../utils/cut-text.js';
import { ExactNumber } from '../json/exact-number.js';
import { readDate, readExactNumber, readText, type ReadScalar } from './read-scalar.js';

type Fields = Record<string, unknown>;

const MAX_LISTED = 20;
const KEY_LENGTH = 60;
/** Text that may be a list written out, of which nobody knows how it is separated, or none at all. */
const MAY_BE_LIST =
  /[,;\r\n\t|•·、，；،؛]|\s(?:and|or|und|[&+/])\s|^\s*(?:[-*{"'([]|(?:null|none|nil|n\/?a|undefined|empty)\.?$|$)/i;

interface Reading {
  readonly value: unknown;
  readonly repairs: readonly string[];
}

/**
 * Reads the values of one call as their schema wants them, where there is one way to read them.
 * What has none stays as it is, for the validation to refuse. Values are copied where they change.
 */
export class ValueCoercer {
  /** Whether JSON text within a value was read, which may hold anything. */
  hasReadText = false;
  private readonly path: (string | number)[] = [];
  private lazyMatcher?: ShapeMatcher;
  /** What schemas of several parts made of values, so that nested ones are not read again for each. */
  private readings?: Map<SchemaShape, WeakMap<object, Reading>>;

  constructor(
    /** Gets a line for each value that was read otherwise than written; never the value itself. */
    private readonly repairs: string[],
    /** Whether a `null` for a field that is left out is what was asked for, and no repair. */
    private readonly expectsNulls = false,
  ) {}

  private get matcher(): ShapeMatcher {
    return (this.lazyMatcher ??= new ShapeMatcher());
  }

  coerce(shape: SchemaShape, value: unknown): unknown {
    if (!hasParts(shape) || !isObject(value)) return this.fit(shape, value);
    this.readings ??= new Map();
    let known = this.readings.get(shape);
    if (!known) this.readings.set(shape, (known = new WeakMap()));
    let reading = known.get(value);
    if (!reading) {
      const before = this.repairs.length;
      reading = { value: this.fit(shape, value), repairs: this.repairs.splice(before) };
      known.set(value, reading);
      const fitted = reading.value;
      // What was made to fit fits.
      if (isObject(fitted)) known.set(fitted, { value: fitted, repairs: [] });
    }
    return this.apply(reading);
  }

  private fit(shape: SchemaShape, value: unknown): unknown {
    let result = value;
    if (shape.all) for (const one of shape.all) result = this.coerce(one, result);
    if (shape.branches) result = this.apply(this.readUnion(shape, result));
    if (result instanceof ExactNumber || (shape.types & typeOf(result)) === 0) {
      result = this.convert(shape, result);
    } else if (typeof result === 'string') return this.coerceText(shape, result);
    if (!isObject(result) || result instanceof ExactNumber) return result;
    if (Array.isArray(result)) return this.coerceItems(shape, result);
    return this.coerceFields(shape, result as Fields);
  }

  /** A value that one branch takes as it is stays; else the only branch that can read it decides. */
  private readUnion({ branches = [] }: SchemaShape, value: unknown): Reading {
    const asItIs: Reading = { value, repairs: [] };
    if (branches.some((branch) => this.matcher.accepts(branch, value))) return asItIs;
    const before = this.repairs.length;
    let reading: Reading | undefined;
    for (const branch of branches) {
      const coerced = this.coerce(branch, value);
      const repairs = this.repairs.splice(before);
      if (!this.matcher.accepts(branch, coerced)) continue;
      if (reading) return asItIs;
      reading = { value: coerced, repairs };
    }
    return reading ?? asItIs;
  }

  private apply({ value, repairs }: Reading): unknown {
    if (repairs.length > 0) this.repairs.push(...repairs);
    return value;
  }

  private convert(shape: SchemaShape, value: unknown): unknown {
    const read = readAs(shape.types, value);
    const item = shape.types & JsonType.array ? this.readItem(shape, value) : undefined;
    if (read) {
      // A list of it would be another reading.
      if (item || (shape.types & typeOf(read.value)) === 0) return value;
      this.report(`read as ${read.as}`);
      this.hasReadText ||= typeof read.value === 'object' && read.value !== null;
      return read.value;
    }
    if (!item) return value;
    this.report('read as a list of one');
    return [item.value];
  }

  /** One value where a list is wanted. Lists of lists could be meant in two ways. */
  private readItem({ items }: SchemaShape, value: unknown): { value: unknown } | undefined {
    if (!items || items.types === JsonType.any || items.types & JsonType.array) return undefined;
    if (value === null || typeof this.path.at(-1) === 'number') return undefined;
    if (typeof value === 'object' && !(value instanceof ExactNumber)) return undefined;
    const before = this.repairs.length;
    const item = this.coerce(items, value);
    this.repairs.length = before;
    const isText = typeof item === 'string' && items.values === undefined;
    if (!this.matcher.accepts(items, item) || (isText && MAY_BE_LIST.test(item))) return undefined;
    return { value: item };
  }

  private coerceText({ folded, values, format, types }: SchemaShape, text: string): unknown {
    if (values && !values.includes(text)) {
      const value = folded?.get(foldCase(text));
      const other = readText(text, types & ~JsonType.string);
      if (value === undefined || (other && values.includes(other.value))) return text;
      this.report('read as one of the allowed values');
      return value;
    }
    const date = format === 'date' ? readDate(text) : undefined;
    if (!date) return text;
    this.report(`read as ${date.as}`);
    return date.value;
  }

  private coerceItems(
    { items, prefix }: SchemaShape,
    list: readonly unknown[],
  ): readonly unknown[] {
    if (!items && !prefix) return list;
    let result: unknown[] | undefined;
    for (const [index, item] of list.entries()) {
      const shape = prefix?.[index] ?? items;
      if (!shape) break;
      this.path.push(index);
      const coerced = this.coerce(shape, item);
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
      // Most values are right as they are.
      if (schema.isPlain && (schema.types & typeOf(value)) !== 0 && value !== '') continue;
      this.path.push(key);
      if (property && !shape.required?.has(key) && this.isLeftOut(property, value)) {
        if (value !== null || !this.expectsNulls) this.report('taken as left out');
        delete (result ??= { ...fields })[key];
      } else {
        const coerced = this.coerce(schema, value);
        if (coerced !== value) (result ??= { ...fields })[key] = coerced;
      }
      this.path.pop();
    }
    return result ?? fields;
  }

  /** `null` and the empty text, where the schema takes neither, are how models leave a field out. */
  private isLeftOut(shape: SchemaShape, value: unknown): boolean {
    return (value === null || value === '') && !this.matcher.accepts(shape, value);
  }

  private report(what: string): void {
    if (this.repairs.length >= MAX_LISTED) return;
    const path = this.path.map((key) => cutText(String(key), KEY_LENGTH)).join('.');
    this.repairs.push(`${redactCredentials(path)}: ${what}`);
  }
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}

function readAs(types: number, value: unknown): ReadScalar | undefined {
  if (typeof value === 'string') return readText(value, types);
  return value instanceof ExactNumber ? readExactNumber(value, types) : undefined;
}
