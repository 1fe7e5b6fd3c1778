import type { ToolCallResult } from '../../tools/interfaces/tool-call-result.interface.js';
import { shortened } from '../results/convert-result.js';
import { toResult, type Ending } from './call.endings.js';
import type { CallParts } from './call.execution.js';

/**
 * Makes the result of a call, and tells it to whoever observes the call.
 *
 * @param started by `performance.now()`
 */
export function reportEnding(
  { request, emitter, recording }: Pick<CallParts, 'request' | 'emitter' | 'recording'>,
  ending: Ending,
  started: number,
  maxResultLength: number,
): ToolCallResult {
  // What succeeded is cut by its conversion; the texts of errors come from anywhere.
  const cut = ending.status === 'success' ? ending : shortened(ending, maxResultLength);
  const result = toResult(request, started, cut);
  emitter?.onEnd(result);
  recording?.end(result, ending.error);
  return result;
}
