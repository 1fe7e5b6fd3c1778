import { createHash } from 'node:crypto';

/** What every provider accepts: Gemini wants a letter or `_` first, OpenAI no more than 64. */
const LEGAL = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/**
 * The name under which models know a tool: its own if providers accept it, else one that is as near
 * as can be. `shop.orders.find` becomes `shop_orders_find`.
 */
export function toChatToolName(name: string): string {
  if (LEGAL.test(name)) return name;
  const legal = name.replace(/[^a-zA-Z0-9_-]+/g, '_').replace(/^(?![a-zA-Z_])/, '_');
  if (legal.length <= MAX_LENGTH) return legal;
  // Long names often differ only at their end.
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${legal.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}
