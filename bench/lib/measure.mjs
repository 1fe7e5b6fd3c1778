const MAX_BATCH = 256;

/**
 * Milliseconds since now: by the clock, or by the processor if that is less, because then other
 * processes had it in between. (With nobody else, threads of V8 make it more.)
 */
function startTimer() {
  const started = performance.now();
  const usage = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(usage);
    return Math.min(performance.now() - started, (user + system) / 1_000);
  };
}

/** Runs something for at least `duration` milliseconds, one after the other; milliseconds for each. */
export async function timePerRun(run, duration) {
  const elapsed = startTimer();
  let count = 0;
  for (let batch = 1; elapsed() < duration; batch = Math.min(batch * 2, MAX_BATCH)) {
    for (let index = 0; index < batch; index++) await run();
    count += batch;
  }
  return elapsed() / count;
}

/** Milliseconds of one run. */
export async function timeOnce(run) {
  const elapsed = startTimer();
  await run();
  return elapsed();
}

/** Milliseconds by the clock of one run that waits, of `count` runs one after the other. */
export async function waitPerRun(run, count) {
  const started = performance.now();
  for (let index = 0; index < count; index++) await run();
  return (performance.now() - started) / count;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]
    : (sorted[middle - 1] + sorted[middle]) / 2;
}
