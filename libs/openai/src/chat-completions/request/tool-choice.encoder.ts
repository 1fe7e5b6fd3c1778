import { ChatModelException, type ToolChoice } from 'nestjs-agent-tools';
import type { WholeProfile } from '../../profiles/profile.finder.js';

/**
 * The fields for the choice among tools, or `undefined` if the tools are not to be sent at all: the
 * only way to keep a server from calls that leaves the choice out of account.
 *
 * @throws ChatModelException if the server cannot be made to call
 */
export function encodeToolChoice(
  choice: ToolChoice | undefined,
  { name, toolChoices = 'all', requiredChoice = 'required' }: WholeProfile,
): Record<string, unknown> | undefined {
  if (choice === undefined || (choice === 'auto' && toolChoices === 'auto')) return {};
  if (choice === 'none' && toolChoices === 'auto') return undefined;
  const isOfOne = typeof choice === 'object';
  if (toolChoices === 'auto' || (toolChoices === 'modes' && isOfOne)) {
    const given = isOfOne ? `{ tool: '${choice.tool}' }` : `'${choice}'`;
    throw new ChatModelException(
      `The servers of the profile "${name}" cannot be made to call ${isOfOne ? 'one tool' : 'tools'}: leave ` +
        `\`toolChoice: ${given}\` out, or say it in the instructions.`,
    );
  }
  if (isOfOne) return { tool_choice: { type: 'function', function: { name: choice.tool } } };
  return { tool_choice: choice === 'required' ? requiredChoice : choice };
}
