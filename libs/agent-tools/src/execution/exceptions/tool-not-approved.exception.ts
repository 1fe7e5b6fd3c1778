import { ForbiddenException } from '@nestjs/common';

/**
 * `approve` did not answer `true`. The tool did not run.
 *
 * @publicApi
 */
export class ToolNotApprovedException extends ForbiddenException {
  constructor(toolName: string) {
    super(`The call of "${toolName}" was not approved.`);
    this.name = 'ToolNotApprovedException';
  }
}
