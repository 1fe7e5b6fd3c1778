import type { TurnItem } from './interfaces/item-encoding.interface.js';

/**
 * Drops reasoning that is not followed by the item that it led to: OpenAI refuses it, then and in each
 * later request.
 */
export function withoutOrphans(items: readonly TurnItem[]): TurnItem[] {
  const kept: TurnItem[] = [];
  for (const item of items.toReversed()) {
    if (item.type !== 'reasoning' || leadsTo(item, kept.at(-1))) kept.push(item);
  }
  return kept.toReversed();
}

function leadsTo({ index }: TurnItem, next: TurnItem | undefined): boolean {
  if (!next) return false;
  return index === undefined || next.index === undefined || next.index === index + 1;
}
