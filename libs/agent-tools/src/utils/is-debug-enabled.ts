import { Logger } from '@nestjs/common';

/**
 * Whether debug lines may be read by anybody. Nest 11 answers false to every question for a level as
 * long as the application has not set its levels, although its logger prints all of them then.
 */
export function isDebugEnabled(): boolean {
  return Logger.isLevelEnabled('debug') || !Logger.isLevelEnabled('fatal');
}
