import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ToolSchema } from '../schemas/interfaces/tool-schema.interface.js';
import { isThenable, toPromise } from '../utils/is-thenable.js';
import { allowedKeysOf } from './allowed-keys.js';
import { compileShape } from '../schemas/shape/shape.compiler.js';
import { IssueDescriber } from './issue.describer.js';
import { ToolArgumentsException } from './tool-arguments.exception.js';

type Input = Record<string, unknown>;
type Result = StandardSchemaV1.Result<unknown>;

/** Problems that are told; a model can send as many as it likes. */
const MAX_LISTED = 20;
const NONE: string[] = [];

/** Validates the input of one tool with the source library's own means, all problems at once. */
export class InputValidator {
  private readonly validateBySchema: ToolSchema['~standard']['validate'];
  private readonly allowedKeys?: ReadonlySet<string>;
  /** Made with the first problem. */
  private describer?: IssueDescriber;

  constructor(
    private readonly toolName: string,
    private readonly schema: ToolSchema,
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
      ? toPromise(result).then((settled) => this.settle(settled as Result, input, unexpected))
      : this.settle(result, input, unexpected);
  }

  private settle(result: Result, input: Input, unexpected: readonly string[]): unknown {
    if (!result.issues && unexpected.length === 0) return result.value;
    this.describer ??= new IssueDescriber(compileShape(this.schema.jsonSchema));
    const { issues = [] } = result;
    const problems: string[] = [];
    for (const issue of issues.slice(0, MAX_LISTED)) {
      problems.push(...this.describer.describe(issue, input));
    }
    for (const key of unexpected.slice(0, MAX_LISTED)) {
      problems.push(this.describer.describeUnknown(key));
    }
    const others = issues.length + unexpected.length - MAX_LISTED;
    if (problems.length > MAX_LISTED) problems.length = MAX_LISTED;
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

/** The input itself stays as it came: an interceptor may have the call repeated. */
function without(input: Input, keys: readonly string[]): Input {
  const dropped = new Set(keys);
  return Object.fromEntries(Object.entries(input).filter(([key]) => !dropped.has(key)));
}
