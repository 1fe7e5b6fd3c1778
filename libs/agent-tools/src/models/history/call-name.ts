/**
 * What a server takes as the name of a tool.
 *
 * @publicApi
 */
export interface CallNameRule {
  readonly legal: RegExp;
  /** Makes a name legal, if something is left of it. */
  readonly toLegal: (name: string) => string;
}

const MAX_NAME = 64;

/** That of nearly all of them. */
const COMMON: CallNameRule = {
  legal: /^[a-zA-Z0-9_-]{1,64}$/,
  toLegal: (name) => name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME),
};

/**
 * The name of a stored call as it is sent back: one that a model made up would make each later request
 * fail, if the server checks names.
 *
 * @param toolNames Those of the request, which are sent as they are.
 * @param rule @default letters, digits, `_` and `-`, at most 64
 * @publicApi
 */
export function toCallName(
  name: string,
  toolNames: ReadonlySet<string>,
  { legal, toLegal }: CallNameRule = COMMON,
): string {
  return legal.test(name) || toolNames.has(name) ? name : toLegal(name) || 'unknown_tool';
}
