import { HttpException } from '@nestjs/common';
import { ToolArgumentsException } from '../../arguments/tool-arguments.exception.js';
import { ToolEnhancerException } from '../exceptions/tool-enhancer.exception.js';
import { ToolFailedException } from '../exceptions/tool-failed.exception.js';
import { ToolOutputException } from '../exceptions/tool-output.exception.js';
import { ToolRetryException } from '../exceptions/tool-retry.exception.js';

/**
 * What an error says about a call: it was denied; its arguments do not fit; it should be corrected; it
 * failed as the tool says; what the tool returned breaks its schema; or nobody expected it.
 */
export type ErrorKind = 'denied' | 'arguments' | 'correctable' | 'failed' | 'output' | 'unexpected';

export function kindOfError(error: unknown): ErrorKind {
  if (error instanceof ToolEnhancerException) return kindOfError(error.cause);
  if (error instanceof ToolArgumentsException) return 'arguments';
  if (error instanceof ToolRetryException) return 'correctable';
  if (error instanceof ToolFailedException) return 'failed';
  if (error instanceof ToolOutputException) return 'output';
  return error instanceof HttpException ? kindOfStatus(error.getStatus()) : 'unexpected';
}

function kindOfStatus(status: number): ErrorKind {
  if (status === 401 || status === 403) return 'denied';
  if (status === 400 || status === 422) return 'correctable';
  return status < 500 ? 'failed' : 'unexpected';
}
