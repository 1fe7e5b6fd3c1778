/** A call that a model wrote as text. */
export interface TextCall {
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

interface WrittenCall {
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly parameters?: unknown;
}

/** Anything beside these makes it data, or the description of a tool. */
const KEYS: ReadonlySet<string> = new Set(['name', 'arguments', 'parameters', 'type', 'id']);

/** Reads `{"name", "arguments"}` or `{"name", "parameters"}`, if the name is one of the tools. */
export function parseTextCall(json: string, names: ReadonlySet<string>): TextCall | undefined {
  if (!json.startsWith('{')) return undefined;
  let written: WrittenCall;
  try {
    written = JSON.parse(json) as WrittenCall;
  } catch {
    return undefined;
  }
  const { name, arguments: args = written.parameters } = written;
  if (typeof name !== 'string' || !names.has(name)) return undefined;
  if (args === undefined || Object.keys(written).some((key) => !KEYS.has(key))) return undefined;
  return { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
}
