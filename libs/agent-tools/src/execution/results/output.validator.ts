import { Logger } from '@nestjs/common';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ToolDefinition } from '../../tools/interfaces/tool-definition.interface.js';
import { isThenable, toPromise } from '../../utils/is-thenable.js';
import { expectationOf } from '../../schemas/issue-expectation.js';
import { ToolOutputException } from '../exceptions/tool-output.exception.js';
import { ToolResult } from '../../tools/tool-result.js';

type Result = StandardSchemaV1.Result<unknown>;

/** Problems that are told of one result. */
const MAX_LISTED = 20;

/** Checks what one tool returns. What goes on is what its schema yields. */
export class OutputValidator {
  private readonly logger = new Logger('AgentTools');
  private readonly validateBySchema: StandardSchemaV1.Props['validate'];

  /** The validator of a tool, or undefined if it does not say what it returns. */
  static of(definition: ToolDefinition): OutputValidator | undefined {
    const { outputSchema } = definition;
    return outputSchema && new OutputValidator(definition, outputSchema['~standard'].validate);
  }

  private constructor(
    private readonly definition: ToolDefinition,
    validate: StandardSchemaV1.Props['validate'],
  ) {
    this.validateBySchema = validate;
  }

  /**
   * Returns the checked value, at once if the schema is synchronous. Of a `ToolResult` the `value` is
   * checked, if it has one.
   *
   * @throws ToolOutputException
   */
  check(returned: unknown): unknown {
    if (!(returned instanceof ToolResult)) return this.checkValue(returned);
    if (returned.value === undefined) return returned;
    const value = this.checkValue(returned.value);
    return isThenable(value)
      ? toPromise(value).then((settled) => withValue(returned, settled))
      : withValue(returned, value);
  }

  private checkValue(value: unknown): unknown {
    const result = this.validateBySchema(value);
    return isThenable(result)
      ? toPromise(result).then((settled) => this.settle(settled as Result))
      : this.settle(result);
  }

  private settle(result: Result): unknown {
    if (!result.issues) return result.value;
    const { name, host } = this.definition;
    const listed = result.issues.slice(0, MAX_LISTED).map(describeIssue);
    const others = result.issues.length - listed.length;
    const problems = others > 0 ? [...listed, `and ${others} more`] : listed;
    this.logger.error(
      `Tool "${name}" (${host.className}.${host.methodName}) returned what its outputSchema does not ` +
        `accept: ${problems.join('; ')}`,
    );
    throw new ToolOutputException(name, problems);
  }
}

function describeIssue(issue: StandardSchemaV1.Issue): string {
  const path = (issue.path ?? []).map((segment) =>
    String(typeof segment === 'object' ? segment.key : segment),
  );
  return `${path.join('.') || '(whole result)'}: ${expectationOf(issue)}`;
}

/** The result stays as it is otherwise; the tool may still hold it. */
function withValue(result: ToolResult, value: unknown): ToolResult {
  const copy = Object.create(Object.getPrototypeOf(result) as object) as ToolResult;
  return Object.assign(copy, result, { value });
}
