import type { ToolProblem } from './interfaces/discovered-tool.interface.js';

/**
 * The tools of the application are not in order, and it does not start. The message lists every
 * problem with class, method and remedy.
 *
 * @publicApi
 */
export class ToolDeclarationException extends Error {
  constructor(readonly problems: readonly ToolProblem[]) {
    super(
      `${problems.length} problem${problems.length === 1 ? '' : 's'} with the tools of this application:\n` +
        problems
          .map(({ className, methodName, message }) => `- ${className}.${methodName}: ${message}`)
          .join('\n'),
    );
    this.name = 'ToolDeclarationException';
  }
}
