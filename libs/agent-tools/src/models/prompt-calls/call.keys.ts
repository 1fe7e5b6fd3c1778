/** Under which the name of the tool is written, and under which the arguments. */
export const NAME_KEYS: readonly string[] = ['name', 'tool', 'function', 'action', 'tool_name'];
export const ARGUMENT_KEYS: readonly string[] = [
  'arguments',
  'parameters',
  'args',
  'input',
  'tool_input',
  'action_input',
];
const OTHER_KEYS: readonly string[] = ['type', 'id'];

/** Anything beside these makes it data, or the description of a tool. */
export const CALL_KEYS: ReadonlySet<string> = new Set([
  ...NAME_KEYS,
  ...ARGUMENT_KEYS,
  ...OTHER_KEYS,
]);

const QUOTED = [...CALL_KEYS].map((key) => `${key}"`);

/** @param begin of a key, with the quote behind it if that has come */
export function mayBeginCallKey(begin: string): boolean {
  return QUOTED.some((key) => key.startsWith(begin));
}
