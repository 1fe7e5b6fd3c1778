const VALID_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_NAME = 64;

/** A name that the model made up makes each later request fail, if the server checks names. */
export function encodeCallName(name: string, toolNames: ReadonlySet<string>): string {
  if (VALID_NAME.test(name) || toolNames.has(name)) return name;
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME) || 'unknown_tool';
}

/**
 * The same with arguments that are no JSON object: servers that translate them need one. A conversation
 * that others stored may have none.
 */
export function encodeCallArguments(json: string | undefined): string {
  if (json === undefined || json.trim() === '') return '{}';
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return json;
  } catch {
    // The model wrote it, so it should see it again, but within an object.
  }
  return JSON.stringify({ INVALID_JSON: json });
}
