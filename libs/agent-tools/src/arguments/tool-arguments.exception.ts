import { IntrinsicException } from '@nestjs/common';

/**
 * The arguments of a call cannot be used. The message is meant for the model: it lists every
 * problem and asks to correct the call.
 *
 * @publicApi
 */
export class ToolArgumentsException extends IntrinsicException {
  constructor(
    readonly toolName: string,
    /** One line for each problem: path, expectation, what came. */
    readonly problems: readonly string[],
  ) {
    super(
      `The arguments of "${toolName}" cannot be used:\n` +
        problems.map((problem) => `- ${problem}`).join('\n') +
        '\nCorrect the arguments and call the tool again.',
    );
    this.name = 'ToolArgumentsException';
  }
}
