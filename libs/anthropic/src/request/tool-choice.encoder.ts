import type { ToolChoice } from 'nestjs-agent-tools';
import type { WireFields } from './interfaces/wire-request.interface.js';

/**
 * The choice among tools, or `undefined` for Anthropic's own.
 *
 * @param mayForce false if the model thinks, or is one that cannot be made to call: then it is asked
 * with `auto` rather than not at all
 */
export function encodeToolChoice(
  choice: ToolChoice | undefined,
  parallel: boolean | undefined,
  mayForce: boolean,
): WireFields | undefined {
  if (choice === 'none') return { type: 'none' };
  const one = parallel === false ? { disable_parallel_tool_use: true } : undefined;
  const forced = mayForce && choice !== 'auto' ? choice : undefined;
  if (typeof forced === 'object') return { type: 'tool', name: forced.tool, ...one };
  if (forced === 'required') return { type: 'any', ...one };
  return choice !== undefined || one ? { type: 'auto', ...one } : undefined;
}
