import type { AssistantMessage, AssistantPart } from 'nestjs-agent-tools';
import type { ItemEncoding, TurnItem, WireItem } from './interfaces/item-encoding.interface.js';
import { readMetadata, type ItemMetadata } from '../item.metadata.js';
import { withoutOrphans } from './reasoning.filter.js';
import { toTurnItem } from './turn-item.encoder.js';

interface PlacedPart {
  readonly part: AssistantPart;
  readonly metadata: ItemMetadata;
}

/** A turn of the model as its items, in the order in which the model gave them if that is known. */
export function encodeTurn({ content }: AssistantMessage, encoding: ItemEncoding): WireItem[] {
  const { profile, store } = encoding;
  const parts = content.map((part) => ({
    part,
    metadata: readMetadata(part, profile.metadataKey),
  }));
  const items = inOrder(parts)
    .map(({ part, metadata }) => toTurnItem(part, metadata, encoding))
    .filter((item) => item !== undefined);
  const kept = withoutOrphans(items);
  // A server that knows an item by its id also knows which ones must stand beside it.
  const isWhole = kept.every(({ index }, place) => index === place);
  return (profile.callsLast ? callsLast(kept) : kept).map((item) => item.encode(store && isWhole));
}

function inOrder(parts: readonly PlacedPart[]): PlacedPart[] {
  if (parts.some(({ metadata }) => metadata.index === undefined)) return [...parts];
  const sorted = parts.toSorted((one, other) => indexOf(one) - indexOf(other));
  const joined: PlacedPart[] = [];
  for (const placed of sorted) {
    const last = joined.at(-1);
    const text = last && joinTexts(last, placed);
    if (text) joined[joined.length - 1] = text;
    else joined.push(placed);
  }
  return joined;
}

function indexOf({ metadata }: PlacedPart): number {
  return metadata.index ?? 0;
}

/** Pieces of one message between which others came. */
function joinTexts(last: PlacedPart, { part, metadata }: PlacedPart): PlacedPart | undefined {
  if (last.part.type !== 'text' || part.type !== 'text') return undefined;
  if (last.metadata.index !== metadata.index) return undefined;
  return { ...last, part: { ...last.part, text: last.part.text + part.text } };
}

function callsLast(items: readonly TurnItem[]): TurnItem[] {
  const isCall = ({ type }: TurnItem) => type === 'call';
  return [...items.filter((item) => !isCall(item)), ...items.filter(isCall)];
}
