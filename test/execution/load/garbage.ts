/** Bytes in use when all garbage is collected. */
export async function heapUsed(): Promise<number> {
  for (let turn = 0; turn < 2; turn++) await collectGarbage();
  return process.memoryUsage().heapUsed;
}

export async function collectGarbage(): Promise<void> {
  if (!globalThis.gc) throw new Error('This needs --expose-gc.');
  // Timers and promises of the last calls hold what they close over for another turn.
  await new Promise((resolve) => setTimeout(resolve, 5));
  globalThis.gc();
}
