import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ObjectJsonSchema } from '../schemas/interfaces/json-schema.interface.js';
import type { ToolSchema } from '../schemas/interfaces/tool-schema.interface.js';
import { isSecretName } from '../utils/redact-credentials.js';
import { isThenable } from '../utils/is-thenable.js';
import { cutText } from '../utils/short-text.js';
import { ToolArgumentsException } from './tool-arguments.exception.js';

type Input = Record<string, unknown>;
type Result = StandardSchemaV1.Result<unknown>;

const GOT_LENGTH = 60;
/** Problems of each kind that are told; a model can send as many as it likes. */
const MAX_LISTED = 20;
/** With one of these at the root, the properties alone do not say which keys are allowed. */
const OPEN_KEYWORDS = [
  'patternProperties',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  'if',
  'dependentSchemas',
];

/** Validates the input of one tool with the source library's own means, all problems at once. */
export class InputValidator {
  private readonly validateBySchema: ToolSchema['~standard']['validate'];
  private readonly allowedKeys?: ReadonlySet<string>;

  constructor(
    private readonly toolName: string,
    schema: ToolSchema,
  ) {
    this.validateBySchema = schema['~standard'].validate;
    this.allowedKeys = allowedKeysOf(schema.jsonSchema);
  }

  /**
   * Returns the validated value, at once if the library is synchronous.
   *
   * @throws ToolArgumentsException
   */
  validate(input: Input): unknown {
    const unexpected = this.unexpectedKeys(input);
    const result = this.validateBySchema(
      unexpected.length > 0 ? without(input, unexpected) : input,
    );
    return isThenable(result)
      ? result.then((settled) => this.settle(settled as Result, input, unexpected))
      : this.settle(result, input, unexpected);
  }

  private settle(result: Result, input: Input, unexpected: readonly string[]): unknown {
    if (!result.issues && unexpected.length === 0) return result.value;
    const problems = [
      ...(result.issues ?? []).slice(0, MAX_LISTED).map((issue) => describeIssue(issue, input)),
      ...unexpected
        .slice(0, MAX_LISTED)
        .map((key) => `${cutText(key, GOT_LENGTH)}: is not an argument of this tool`),
    ];
    const others = (result.issues?.length ?? 0) + unexpected.length - problems.length;
    if (others > 0) problems.push(`and ${others} more`);
    throw new ToolArgumentsException(this.toolName, problems);
  }

  /** Many libraries drop unknown keys in silence; a model that sends them must be told. */
  private unexpectedKeys(input: Input): string[] {
    if (!this.allowedKeys) return NONE;
    let unexpected = NONE;
    for (const key in input) {
      if (this.allowedKeys.has(key)) continue;
      if (unexpected === NONE) unexpected = [];
      unexpected.push(key);
    }
    return unexpected;
  }
}

const NONE: string[] = [];

/** The input itself stays as it came: an interceptor may have the call repeated. */
function without(input: Input, keys: readonly string[]): Input {
  const dropped = new Set(keys);
  return Object.fromEntries(Object.entries(input).filter(([key]) => !dropped.has(key)));
}

function allowedKeysOf(schema: ObjectJsonSchema): ReadonlySet<string> | undefined {
  const { additionalProperties = false } = schema;
  const isOpen = additionalProperties !== false || OPEN_KEYWORDS.some((key) => key in schema);
  return isOpen ? undefined : new Set(Object.keys(schema.properties));
}

function describeIssue(issue: StandardSchemaV1.Issue, input: Input): string {
  const path = (issue.path ?? []).map((segment) =>
    typeof segment === 'object' ? segment.key : segment,
  );
  const place = path.map(String).join('.') || '(whole input)';
  // A library's own message may repeat the value.
  if (path.some((key) => isSecretName(String(key)))) return `${place}: is not valid`;
  return `${place}: ${issue.message}${describeValue(path, input)}`;
}

/** A short form of what came, unless the name of the field says that it is a secret. */
function describeValue(path: readonly PropertyKey[], input: Input): string {
  let value: unknown = input;
  for (const key of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return '';
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  if (path.length === 0) return '';
  const text = JSON.stringify(value, (key, item: unknown) => (isSecretName(key) ? '***' : item));
  return ` (got ${cutText(text ?? typeof value, GOT_LENGTH)})`;
}
