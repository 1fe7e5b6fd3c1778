/** Under which the name of the tool is written, and under which the arguments. */
export interface CallKeys {
  readonly names: readonly string[];
  readonly arguments: readonly string[];
  /** Whether arguments that are no object make it data. */
  readonly wantObjects: boolean;
}

/** For models without native calls. */
export const ALL_KEYS: CallKeys = {
  names: ['name', 'tool', 'function', 'action', 'tool_name'],
  arguments: ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input'],
  wantObjects: true,
};

/** Where text is more likely to be only that. */
export const PLAIN_KEYS: CallKeys = {
  names: ['name'],
  arguments: ['arguments', 'parameters'],
  wantObjects: false,
};

/** What models write beside them, and what has no meaning for the tool. */
const ID_KEYS: readonly string[] = ['id', 'call_id', 'tool_call_id', 'index'];
const TYPE_KEY = 'type';
const CALL_TYPES = /^"(?:function|tool)(?:_call|_use)?"$/;

/** Without markup, anything beside these makes it data, or the description of a tool. */
export function keysOf(keys: CallKeys): string[] {
  return [...keys.names, ...keys.arguments, 'id', TYPE_KEY];
}

/** Whether it says nothing of what the tool is to do, if there are arguments, too. */
export function isHarmless(key: string, value: string): boolean {
  if (ID_KEYS.includes(key)) return !/^[{[]/.test(value);
  return key === TYPE_KEY && CALL_TYPES.test(value);
}

/** Whether, without arguments, nobody can say if it is one. */
export function isDoubtful(key: string): boolean {
  return ID_KEYS.includes(key) || key === TYPE_KEY;
}
