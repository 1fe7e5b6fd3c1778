/** Enough to find the right one, and not the whole list of a large application. */
const LISTED = 50;

/** Names for a message, in a stable order; empty if there are none. */
export function listNames(names: Iterable<string>): string {
  const sorted = [...names].toSorted();
  const more = sorted.length > LISTED ? ` and ${sorted.length - LISTED} more` : '';
  return sorted.slice(0, LISTED).join(', ') + more;
}
