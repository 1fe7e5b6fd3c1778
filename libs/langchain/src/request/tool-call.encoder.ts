import type { ToolCallPart } from 'nestjs-agent-tools';
import { toArgumentsObject, toCallName } from 'nestjs-agent-tools/model-kit';
import { fieldsOf, type Fields } from '../values.js';

/** A call as LangChain's messages hold it. */
export interface EncodedCall extends Fields {
  readonly id: string;
  readonly name: string;
  readonly args: Fields;
  readonly type: 'tool_call';
}

export function encodeToolCall(
  { id, name, arguments: json, providerMetadata }: ToolCallPart,
  metadataKey: string,
  toolNames: ReadonlySet<string>,
): EncodedCall {
  const extras = fieldsOf(providerMetadata?.[metadataKey]?.call);
  return {
    ...extras,
    id,
    name: toCallName(name, toolNames),
    args: toArgumentsObject(json),
    type: 'tool_call',
  };
}
