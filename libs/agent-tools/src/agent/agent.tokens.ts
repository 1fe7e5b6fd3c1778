/**
 * The injection token of a named agent, for `overrideProvider()` in tests.
 *
 * @publicApi
 */
export function getAgentToken(name: string): string {
  return `AGENT_TOOLS_AGENT_${name}`;
}
