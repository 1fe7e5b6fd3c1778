/**
 * The token of an agent is made of its name, so of two with one name Nest would keep the later and
 * lose the instructions and the tools of the other without a word.
 *
 * @throws Error naming the name
 */
export function refuseDuplicateNames(names: readonly string[]): void {
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate === undefined) return;
  throw new Error(
    `Two agents are named "${duplicate}". Give each agent of AgentToolsModule.forFeature() a name of its own.`,
  );
}
