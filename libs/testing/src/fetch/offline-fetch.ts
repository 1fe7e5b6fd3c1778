/** Those of this library that need no network, however they are handed on. */
const offline = new WeakSet<typeof fetch>();

export function markOffline<T extends typeof fetch>(send: T): T {
  offline.add(send);
  return send;
}

export function isOffline(send: typeof fetch): boolean {
  return offline.has(send);
}
