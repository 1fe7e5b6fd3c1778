import {
  HttpException,
  IntrinsicException,
  type ArgumentsHost,
  type ExceptionFilter,
  type Type,
} from '@nestjs/common';
import { isObservable, lastValueFrom } from 'rxjs';
import { FILTER_CATCH_EXCEPTIONS } from '../../agent-tools.constants.js';
import { ToolEnhancerException } from '../exceptions/tool-enhancer.exception.js';

/**
 * Lets the first filter that catches this kind of error answer. Its value becomes the result of the
 * call; a filter that returns nothing has not handled the error.
 *
 * @throws the error, what the filter throws in its place, or ToolEnhancerException if the filter
 * itself crashed
 */
export async function runFilters(
  filters: readonly ExceptionFilter[],
  error: unknown,
  host: ArgumentsHost,
): Promise<unknown> {
  const filter = filters.find((candidate) => catches(candidate, error));
  if (!filter) throw error;
  let answer: unknown;
  try {
    answer = await filter.catch(error, host);
    if (isObservable(answer)) answer = await lastValueFrom(answer, { defaultValue: undefined });
  } catch (thrown) {
    if (
      thrown === error ||
      thrown instanceof HttpException ||
      thrown instanceof IntrinsicException
    ) {
      throw thrown;
    }
    throw new ToolEnhancerException('filter', filter.constructor.name, thrown, error);
  }
  if (answer === undefined) throw error;
  return answer;
}

function catches(filter: ExceptionFilter, error: unknown): boolean {
  const types = (Reflect.getMetadata(FILTER_CATCH_EXCEPTIONS, filter.constructor) ??
    []) as readonly Type[];
  return types.length === 0 || types.some((type) => error instanceof type);
}
