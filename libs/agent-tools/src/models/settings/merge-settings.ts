import type { ChatSettings } from '../interfaces/chat-settings.interface.js';

/**
 * Puts settings over others, field by field, `headers` and `body` entry by entry. A field that is
 * `undefined` does not count.
 *
 * @publicApi
 */
export function mergeSettings(
  base: ChatSettings | undefined,
  over: ChatSettings | undefined,
): ChatSettings {
  if (!base || !over) return base ?? over ?? {};
  const given = Object.entries(over).filter(([, value]) => value !== undefined);
  const merged: ChatSettings = { ...base, ...Object.fromEntries(given) };
  return {
    ...merged,
    ...(base.headers && over.headers && { headers: mergeHeaders(base.headers, over.headers) }),
    ...(base.body && over.body && { body: { ...base.body, ...over.body } }),
  };
}

/** Names of headers are the same in any case. */
function mergeHeaders(
  base: Readonly<Record<string, string>>,
  over: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = new Set(Object.keys(over).map((name) => name.toLowerCase()));
  const kept = Object.entries(base).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...over };
}
