const MAX_BATCH = 256;

/** Runs something for at least `duration` milliseconds, one after the other; milliseconds for each. */
export async function timePerRun(run, duration) {
  const started = performance.now();
  let count = 0;
  let elapsed = 0;
  for (let batch = 1; elapsed < duration; batch = Math.min(batch * 2, MAX_BATCH)) {
    for (let index = 0; index < batch; index++) await run();
    count += batch;
    elapsed = performance.now() - started;
  }
  return elapsed / count;
}

/** Milliseconds of one run. */
export async function timeOnce(run) {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]
    : (sorted[middle - 1] + sorted[middle]) / 2;
}
