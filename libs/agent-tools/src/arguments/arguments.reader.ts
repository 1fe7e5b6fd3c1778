import type { ObjectJsonSchema } from '../schemas/interfaces/json-schema.interface.js';
import { allowedKeysOf } from './allowed-keys.js';
import { compileShape } from '../schemas/shape/shape.compiler.js';
import type { SchemaShape } from '../schemas/shape/schema-shape.js';
import { ValueCoercer } from './coerce/value.coercer.js';
import { ExactNumber } from './json/exact-number.js';
import { parseArguments, type ParsedArguments } from './parse-arguments.js';
import { quoteSafely } from './quote-safely.js';
import { unwrapArguments } from './repair/unwrap-arguments.js';

/**
 * Reads the arguments of the calls of one tool, before its guards: parse, repair, coerce. Whether
 * they are right is for the validation, after the guards.
 */
export class ArgumentsReader {
  /** Compiled with the first call: most tools of an application are not called. */
  private shape?: SchemaShape;
  private allowedKeys?: ReadonlySet<string>;

  constructor(
    /** Under which models and the application know the tool. */
    private readonly toolNames: readonly string[],
    private readonly schema: ObjectJsonSchema,
    /** Whether the provider was asked for strictness, with which a `null` is how a field is left out. */
    private readonly isStrict = false,
  ) {}

  /**
   * @param raw JSON text of an object, or the object itself
   * @param isCutOff whether the model was cut off, with which nothing is repaired
   */
  read(raw: unknown, isCutOff = false): ParsedArguments {
    if (!this.shape) {
      this.shape = compileShape(this.schema);
      this.allowedKeys = allowedKeysOf(this.schema);
    }
    try {
      const parsed = parseArguments(raw, isCutOff, this.shape);
      return 'problem' in parsed ? parsed : this.fit(parsed, this.shape);
    } catch (error) {
      // A schema that contains itself is followed as deep as the model nests its values.
      if (error instanceof RangeError) return { problem: 'they are nested too deeply' };
      throw error;
    }
  }

  private fit(
    parsed: Exclude<ParsedArguments, { problem: string }>,
    shape: SchemaShape,
  ): ParsedArguments {
    const { input, isJson, mayBeInexact } = parsed;
    const repairs = parsed.repairs.length > 0 ? [...parsed.repairs] : [];
    const inner = this.allowedKeys
      ? unwrapArguments(input, this.toolNames, this.allowedKeys, repairs)
      : input;
    const coercer = new ValueCoercer(repairs, this.isStrict);
    const fitted = coercer.coerce(shape, inner) as Record<string, unknown>;
    const mayHoldInexact = mayBeInexact || coercer.hasReadText || inner !== input;
    const inexact = mayHoldInexact ? pathOfInexact(fitted) : undefined;
    if (inexact === undefined) {
      if (fitted === input && repairs.length === parsed.repairs.length) return parsed;
      return { input: fitted, repairs, isJson, mayBeInexact };
    }
    return { problem: `${quoteSafely(inexact)}: the number has more digits than can be kept` };
  }
}

/** Where a number is left that the schema does not want as text. */
function pathOfInexact(value: unknown): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (item instanceof ExactNumber) return key;
    const path = pathOfInexact(item);
    if (path !== undefined) return `${key}.${path}`;
  }
  return undefined;
}
