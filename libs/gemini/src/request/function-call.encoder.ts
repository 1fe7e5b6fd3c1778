import type { ToolCallPart } from 'nestjs-agent-tools';
import { toArgumentsObject, toCallName, type CallNameRule } from 'nestjs-agent-tools/model-kit';
import type { ContentEncoding, WireRequestPart } from './interfaces/content-encoding.interface.js';

const MAX_NAME = 128;
const NAMES: CallNameRule = {
  legal: /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/,
  toLegal: (name) =>
    name
      .replace(/[^A-Za-z0-9_.:-]/g, '_')
      .replace(/^(?=[^A-Za-z_])/, '_')
      .slice(0, MAX_NAME),
};

/** A call of the history in a form that the server takes, whatever the model wrote. */
export function encodeFunctionCall(
  { id, name, arguments: json }: ToolCallPart,
  { toolNames, callIds }: ContentEncoding,
): WireRequestPart {
  return {
    functionCall: {
      ...(callIds && { id }),
      name: encodeName(name, toolNames),
      args: toArgumentsObject(json),
    },
  };
}

/** A name that the model made up would make each later request fail. */
export function encodeName(name: string, toolNames: ReadonlySet<string>): string {
  return toCallName(name, toolNames, NAMES);
}
