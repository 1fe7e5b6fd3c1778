import { isText } from 'nestjs-agent-tools/model-kit';
import type { ItemEncoding, WireItem } from './interfaces/item-encoding.interface.js';

/** What tools of the server did, whole in itself: the API takes it back without an id. */
const SELF_CONTAINED = new Set([
  'web_search_call',
  'tool_search_call',
  'tool_search_output',
  'compaction',
]);
/** The API takes these back by their ids, so only if it stores them. */
const STORED = new Set([
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_list_tools',
  'mcp_call',
]);

/**
 * An item that came from this provider, as it is sent back. `undefined` for one that the server would
 * not take: reasoning that cannot be read again, and calls that wait for an answer which nobody here
 * gives.
 */
export function encodeOpaqueItem(item: WireItem, encoding: ItemEncoding): WireItem | undefined {
  if (item.type === 'reasoning') return encodeReasoning(item, encoding);
  const { profile, store } = encoding;
  if (profile.reasoningForm !== 'encrypted' || !isText(item.type)) return undefined;
  if (store && (SELF_CONTAINED.has(item.type) || STORED.has(item.type))) return item;
  if (!SELF_CONTAINED.has(item.type)) return undefined;
  const { id: _, ...content } = item;
  return profile.reasoningIds ? item : content;
}

function encodeReasoning(
  { id, summary, content, encrypted_content: encrypted }: WireItem,
  { profile, store }: ItemEncoding,
): WireItem | undefined {
  const isKnown = store && isText(id);
  const item = {
    type: 'reasoning',
    ...((isKnown || profile.reasoningIds) && isText(id) && { id }),
    summary: Array.isArray(summary) ? (summary as readonly unknown[]) : [],
  };
  if (profile.reasoningForm === 'encrypted') {
    if (isText(encrypted)) return { ...item, encrypted_content: encrypted };
    return isKnown ? item : undefined;
  }
  const isReadable = Array.isArray(content) && content.length > 0;
  return profile.reasoningForm === 'text' && isReadable ? { ...item, content } : undefined;
}
