import { isThinking } from './assistant-message.encoder.js';
import type { AnthropicCacheOptions } from '../interfaces/anthropic-options.interface.js';
import type { WireBlock, WireFields, WireTurn } from './interfaces/wire-request.interface.js';

type Section = 'system' | 'tools' | 'messages';

/** Puts the marks of Anthropic's cache where the application wants them, at most one in each section. */
export class CacheMarks {
  private readonly options: AnthropicCacheOptions | undefined;

  constructor(cache: boolean | AnthropicCacheOptions = false) {
    this.options = typeof cache === 'boolean' ? (cache ? {} : undefined) : cache;
  }

  /** Marks the last of a list. */
  onLast<Item extends WireFields>(section: Section, items: readonly Item[]): readonly Item[] {
    const last = items.at(-1);
    const mark = this.markOf(section);
    return last && mark ? [...items.slice(0, -1), { ...last, ...mark }] : items;
  }

  /** Marks the last block of the last turn that may have a mark: thinking must come back unchanged. */
  onTurns(turns: readonly WireTurn[]): readonly WireTurn[] {
    const last = turns.at(-1);
    if (!last || !this.markOf('messages') || isThinking(last.content.at(-1))) return turns;
    const content: readonly WireBlock[] = this.onLast('messages', last.content);
    return [...turns.slice(0, -1), { ...last, content }];
  }

  private markOf(section: Section): WireFields | undefined {
    const { options } = this;
    if (!options || options[section] === false) return undefined;
    const { ttl } = options;
    return { cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } };
  }
}
