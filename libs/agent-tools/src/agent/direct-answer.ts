import type { ToolCallResult } from '../tools/interfaces/tool-call-result.interface.js';
import type { ToolReturnDirect } from '../tools/interfaces/tool-policy.interface.js';

/**
 * The text of the run if the results of a step are its answer, by `returnDirect` of the tools:
 *
 * | calls of the step                             | answer                       |
 * | --------------------------------------------- | ---------------------------- |
 * | one of them failed, or gave no text           | none: the model sees it      |
 * | all have `true` or `'if-last'`                | all results, in their order  |
 * | the last has `'if-last'`, another has `false` | the last result              |
 * | otherwise                                     | none                         |
 *
 * @param returnDirect of each call
 */
export function directAnswer(
  results: readonly ToolCallResult[],
  returnDirect: readonly ToolReturnDirect[],
): string | undefined {
  if (results.length === 0 || results.some(({ status }) => status !== 'success')) return undefined;
  // An image alone cannot be the text of a run.
  if (results.some((result) => textOf(result).trim() === '')) return undefined;
  if (returnDirect.every(Boolean)) return results.map(textOf).join('\n\n');
  return returnDirect.at(-1) === 'if-last' ? textOf(results[results.length - 1]) : undefined;
}

function textOf({ content }: ToolCallResult): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
