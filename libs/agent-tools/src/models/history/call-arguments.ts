import { INVALID_JSON_FIELD } from '../../agent-tools.constants.js';
import { isRecord } from '../../utils/is-record.js';
import { parseExactJson } from '../../arguments/json/parse-exact-json.js';

/**
 * The arguments of a stored call as an object, for servers that want one. What is no object the model wrote
 * all the same, so it sees it again, within one. Conversations that others stored may have none.
 *
 * @publicApi
 */
export function toArgumentsObject(json: string | undefined): Record<string, unknown> {
  if (json === undefined || json.trim() === '') return {};
  return parseObject(json) ?? { [INVALID_JSON_FIELD]: json };
}

/**
 * The same as JSON text: as the model wrote it, if it is one of an object.
 *
 * @publicApi
 */
export function toArgumentsText(json: string | undefined): string {
  if (json === undefined || json.trim() === '') return '{}';
  return parseObject(json) ? json : JSON.stringify({ [INVALID_JSON_FIELD]: json });
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value = parseExactJson(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
