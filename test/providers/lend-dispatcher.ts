import { runInThisContext } from 'node:vm';

/** Google's client looks for Node's own dispatcher, which Jest keeps out of the globals of a test. */
export function lendDispatcher(): void {
  const key = Symbol.for('undici.globalDispatcher.1');
  const outer = runInThisContext('globalThis') as Record<symbol, unknown>;
  (globalThis as Record<symbol, unknown>)[key] ??= outer[key];
}
