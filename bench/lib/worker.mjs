/** One side of one workload in a process of its own: prepares and warms up, then measures when told. */
const [workloadName, side, isQuick] = process.argv.slice(2);

const send = (message) => new Promise((resolve) => process.send(message, resolve));

async function main() {
  const { default: workload } = await import(`../workloads/${workloadName}.mjs`);
  const measure = await workload.prepare(side, isQuick === 'true');
  for (let index = 0; index < (workload.warmUps ?? 1); index++) await measure();
  await send({ type: 'ready' });
  process.on('message', async () => {
    try {
      await send({ type: 'measured', values: await measure() });
    } catch (error) {
      await fail(error);
    }
  });
}

async function fail(error) {
  await send({ type: 'failed', error: error?.stack ?? String(error) });
  process.exit(1);
}

// Some of the libraries leave timers and sockets behind.
process.on('disconnect', () => process.exit(0));
main().catch(fail);
