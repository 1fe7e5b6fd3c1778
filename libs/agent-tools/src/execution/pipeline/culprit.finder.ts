import { HttpException, IntrinsicException, type NestInterceptor } from '@nestjs/common';
import { enhancerName } from '../enhancers/enhancer-kind.js';
import type { InterceptedCall } from './interceptor.chain.js';
import { ToolEnhancerException } from '../exceptions/tool-enhancer.exception.js';
import type { CallTrace } from '../interfaces/call-trace.interface.js';

/**
 * The enhancer that crashed, for the log: an error that came up nowhere further in is of the guard
 * that was asked last, or of the interceptor around the innermost place that saw it. What is thrown on
 * purpose is no crash.
 */
export function findCulprit(
  error: unknown,
  { guard }: CallTrace,
  interceptors: readonly NestInterceptor[],
  { failure }: InterceptedCall,
): CallTrace['culprit'] {
  if (guard !== undefined)
    return isThrownOnPurpose(error) ? undefined : { kind: 'guard', name: enhancerName(guard) };
  return interceptorAt(error, failure?.error === error ? failure?.level : 0, interceptors);
}

/**
 * An interceptor written for HTTP fails on the missing response also while it handles an error. Its crash
 * must not hide that error: what went wrong first decides the outcome, and is the `cause`.
 */
export function findCrash(
  error: unknown,
  trace: CallTrace,
  interceptors: readonly NestInterceptor[],
  { failure }: InterceptedCall,
): ToolEnhancerException | undefined {
  const { culprit, lacksResponse } = trace;
  if (culprit?.kind !== 'interceptor' || !lacksResponse || !failure) return undefined;
  const { first } = failure;
  if (first.error === error) return undefined;
  trace.culprit = interceptorAt(first.error, first.level, interceptors);
  return new ToolEnhancerException(culprit.kind, culprit.name, error, first.error);
}

function interceptorAt(
  error: unknown,
  level: number | undefined,
  interceptors: readonly NestInterceptor[],
): CallTrace['culprit'] {
  if (isThrownOnPurpose(error) || level === undefined || level >= interceptors.length)
    return undefined;
  return { kind: 'interceptor', name: enhancerName(interceptors[level]) };
}

function isThrownOnPurpose(error: unknown): boolean {
  return error instanceof HttpException || error instanceof IntrinsicException;
}
