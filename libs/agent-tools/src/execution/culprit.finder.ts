import { HttpException, IntrinsicException, type NestInterceptor } from '@nestjs/common';
import { enhancerName } from './enhancer-kind.js';
import type { CallHandler } from './interceptor.chain.js';
import type { CallTrace } from './interfaces/call-trace.interface.js';

/**
 * The enhancer that crashed, for the log: an error that came up nowhere further in is of the guard
 * that was asked last, or of the interceptor around the innermost place that saw it. What is thrown on
 * purpose is no crash.
 */
export function findCulprit(
  error: unknown,
  { guard }: CallTrace,
  interceptors: readonly NestInterceptor[],
  { failure }: CallHandler,
): CallTrace['culprit'] {
  if (error instanceof HttpException || error instanceof IntrinsicException) return undefined;
  if (guard !== undefined) return { kind: 'guard', name: guard };
  const level = failure?.error === error ? failure?.level : 0;
  if (level === undefined || level >= interceptors.length) return undefined;
  return { kind: 'interceptor', name: enhancerName(interceptors[level]) };
}
