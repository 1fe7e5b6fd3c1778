import type { AssistantPart, ToolCallPart } from 'nestjs-agent-tools';
import { toArgumentsText, toCallName } from 'nestjs-agent-tools/model-kit';
import { encodeCallId } from './call-id.encoder.js';
import type { ItemEncoding, TurnItem, WireItem } from './interfaces/item-encoding.interface.js';
import type { ItemMetadata } from '../item.metadata.js';
import { encodeOpaqueItem } from './opaque-item.encoder.js';

/** `undefined` for a part that says nothing, or that the server would not take. */
export function toTurnItem(
  part: AssistantPart,
  metadata: ItemMetadata,
  encoding: ItemEncoding,
): TurnItem | undefined {
  const { index, item } = metadata;
  if (part.type === 'tool-call') {
    return { index, type: 'call', encode: (ids) => encodeCall(part, metadata, encoding, ids) };
  }
  if (part.type === 'text') {
    if (part.text === '') return undefined;
    return { index, type: 'message', encode: (ids) => encodeText(part.text, metadata, ids) };
  }
  const wire = item && encodeOpaqueItem(item, encoding);
  if (!wire) return undefined;
  return { index, type: wire.type === 'reasoning' ? 'reasoning' : 'other', encode: () => wire };
}

/** Always the whole call: a reference to it by its id fails if the server did not keep it. */
function encodeCall(
  { id, name, arguments: json }: ToolCallPart,
  { id: itemId, namespace }: ItemMetadata,
  { toolNames }: ItemEncoding,
  ids: boolean,
): WireItem {
  return {
    type: 'function_call',
    ...(ids && itemId && { id: itemId }),
    call_id: encodeCallId(id),
    name: toCallName(name, toolNames),
    ...(namespace && { namespace }),
    arguments: toArgumentsText(json),
  };
}

function encodeText(text: string, { id, phase }: ItemMetadata, ids: boolean): WireItem {
  const labels = { role: 'assistant', ...(phase && { phase }) };
  if (!ids || !id) return { ...labels, content: text };
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id, status: 'completed', ...labels, content };
}
