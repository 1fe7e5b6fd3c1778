import { IntrinsicException } from '@nestjs/common';

/**
 * A tool returned what its `outputSchema` does not accept, which is a mistake of the application.
 * The message names the tool, the paths and what was expected there, but none of the values.
 *
 * @publicApi
 */
export class ToolOutputException extends IntrinsicException {
  constructor(
    readonly toolName: string,
    /** One line for each problem: path and expectation. */
    readonly problems: readonly string[],
  ) {
    super(
      `The result of "${toolName}" does not fit its outputSchema:\n` +
        problems.map((problem) => `- ${problem}`).join('\n') +
        '\nThe mistake is in the tool, not in the call.',
    );
    this.name = 'ToolOutputException';
  }
}
