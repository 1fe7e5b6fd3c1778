import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isSecretName } from '../utils/redact-credentials.js';
import { expectationOf } from '../schemas/issue-expectation.js';
import { listNames } from '../utils/list-names.js';
import { cutText } from '../utils/cut-text.js';
import {
  isSecretShape,
  namedPropertyOf,
  propertyOf,
  type SchemaShape,
} from '../schemas/shape/schema-shape.js';
import { nearestName } from './nearest-name.js';
import { holdsSecret } from './quote-safely.js';
import { shortValue } from './short-value.js';

type Input = Record<string, unknown>;

const NAME_LENGTH = 60;

/**
 * Puts what a library found wrong into lines for the model: path, what was expected, what came. The
 * value of a secret field is never part of it.
 */
export class IssueDescriber {
  constructor(private readonly root: SchemaShape) {}

  describe(issue: StandardSchemaV1.Issue, input: Input): string[] {
    const path = (issue.path ?? []).map((segment) =>
      typeof segment === 'object' ? segment.key : segment,
    );
    const unknown = unknownKeysOf(issue);
    if (!unknown) return [this.line(path, issue, input)];
    return unknown.map((key) => this.line([...path, key], { message: 'is not expected' }, input));
  }

  /** A key at the root that the schema does not know. */
  describeUnknown(key: string): string {
    return `${cutText(key, NAME_LENGTH)}: is not an argument of this tool${this.hint([key])}`;
  }

  private line(path: readonly PropertyKey[], issue: StandardSchemaV1.Issue, input: Input): string {
    const { message } = issue;
    const place = path.map((key) => cutText(String(key), NAME_LENGTH)).join('.');
    if (path.length === 0) return `(whole input): ${this.aboutAll(message, input)}`;
    if (this.isSecret(path)) return `${place}: ${expectationWithout(valueAt(path, input), issue)}`;
    return `${place}: ${message}${this.hint(path)}${this.got(path, input)}`;
  }

  /** A rule over several fields may repeat a secret one. */
  private aboutAll(message: string, input: Input): string {
    const secrets = Object.entries(input).filter(([key]) => this.isSecret([key]));
    return secrets.some(([, value]) => repeats(message, String(value))) ? 'is not valid' : message;
  }

  private isSecret(path: readonly PropertyKey[]): boolean {
    if (path.some((key) => isSecretName(String(key)))) return true;
    return path.some((_, index) => {
      const shape = this.shapeAt(path.slice(0, index + 1));
      return shape !== undefined && isSecretShape(shape);
    });
  }

  /** What an unknown key was probably meant to be. */
  private hint(path: readonly PropertyKey[]): string {
    const key = String(path.at(-1));
    const known = this.shapeAt(path.slice(0, -1))?.properties;
    if (!known || known.size === 0 || known.has(key)) return '';
    const nearest = nearestName(key, known.keys());
    return nearest === undefined
      ? `, known are ${listNames(known.keys())}`
      : `, did you mean "${nearest}"?`;
  }

  private got(path: readonly PropertyKey[], input: Input): string {
    const value = valueAt(path, input);
    const parent = this.shapeAt(path.slice(0, -1));
    // A name that is not known may be that of a secret, misspelt.
    const isStrange =
      parent && !namedPropertyOf(parent, String(path.at(-1))) && holdsSecret(parent);
    return value === undefined || isStrange
      ? ''
      : ` (got ${shortValue(value, this.shapeAt(path))})`;
  }

  private shapeAt(path: readonly PropertyKey[]): SchemaShape | undefined {
    let shape: SchemaShape | undefined = this.root;
    for (const key of path) shape = shape && propertyOf(shape, String(key));
    return shape;
  }
}

/** A library's own message may repeat the value, which is a secret here. */
function expectationWithout(value: unknown, issue: StandardSchemaV1.Issue): string {
  const expectation = expectationOf(issue);
  const repeatsValue = value !== undefined && repeats(expectation, String(value));
  return repeatsValue || typeof value === 'object' ? 'is not valid' : expectation;
}

function repeats(message: string, value: string): boolean {
  const folded = message.toLowerCase();
  const escaped = JSON.stringify(value).slice(1, -1);
  return [value, escaped].some((text) => folded.includes(text.toLowerCase()));
}

function valueAt(path: readonly PropertyKey[], input: Input): unknown {
  let value: unknown = input;
  for (const key of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** zod names the object, and the keys beside the path. */
function unknownKeysOf(issue: StandardSchemaV1.Issue): readonly string[] | undefined {
  const { code, keys } = issue as { code?: unknown; keys?: unknown };
  return code === 'unrecognized_keys' && Array.isArray(keys) ? keys.map(String) : undefined;
}
