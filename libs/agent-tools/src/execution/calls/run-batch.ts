import type { ToolCallRequest } from '../interfaces/tool-call-request.interface.js';
import type { ToolCallResult } from '../../tools/interfaces/tool-call-result.interface.js';

/**
 * Runs the calls of one step: contiguous parallel calls together, a call that is not parallel alone.
 * Results come in the order of the calls.
 */
export async function runBatch(
  calls: readonly ToolCallRequest[],
  isParallel: (call: ToolCallRequest) => boolean,
  run: (call: ToolCallRequest) => Promise<ToolCallResult>,
): Promise<ToolCallResult[]> {
  if (calls.length === 1) return [await run(calls[0])];
  const results: ToolCallResult[] = [];
  let group: ToolCallRequest[] = [];
  const flush = async () => {
    results.push(...(await Promise.all(group.map(run))));
    group = [];
  };
  for (const call of calls) {
    if (isParallel(call)) {
      group.push(call);
      continue;
    }
    await flush();
    results.push(await run(call));
  }
  await flush();
  return results;
}
