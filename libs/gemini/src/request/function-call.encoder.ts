import type { ToolCallPart } from 'nestjs-agent-tools';
import { isRecord } from '../is-record.js';
import type { ContentEncoding, WireRequestPart } from './interfaces/content-encoding.interface.js';

const VALID_NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/;
const MAX_NAME = 128;

/** A call of the history in a form that the server takes, whatever the model wrote. */
export function encodeFunctionCall(
  { id, name, arguments: json }: ToolCallPart,
  { toolNames, callIds }: ContentEncoding,
): WireRequestPart {
  return {
    functionCall: {
      ...(callIds && { id }),
      name: encodeName(name, toolNames),
      args: encodeArguments(json),
    },
  };
}

/** A name that the model made up would make each later request fail. */
export function encodeName(name: string, toolNames: ReadonlySet<string>): string {
  if (VALID_NAME.test(name) || toolNames.has(name)) return name;
  const legal = name.replace(/[^A-Za-z0-9_.:-]/g, '_').replace(/^(?=[^A-Za-z_])/, '_');
  return legal.slice(0, MAX_NAME) || 'unknown_tool';
}

/** The same with arguments that are no object; a conversation that others stored may have none. */
function encodeArguments(json: string | undefined): object {
  if (json === undefined || json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    if (isRecord(value)) return value;
  } catch {
    // The model wrote it, so it should see it again, but within an object.
  }
  return { INVALID_JSON: json };
}
