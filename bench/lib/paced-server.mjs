import { fork } from 'node:child_process';
import { once } from 'node:events';

const SERVER = new URL('../fixtures/paced-server.mjs', import.meta.url);

/** Starts the server; it ends with this process. For a number of chunks and the time between them, its address. */
export async function startServer() {
  const child = fork(SERVER);
  const [port] = await once(child, 'message');
  // The side's process shall not wait for it.
  child.unref();
  child.channel.unref();
  return (count, interval) => `http://127.0.0.1:${port}/${count}/${interval}`;
}
