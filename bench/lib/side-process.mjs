import { fork } from 'node:child_process';
import { once } from 'node:events';

const WORKER = new URL('./worker.mjs', import.meta.url);
const TIME_LIMIT = 120_000;
/** What would make a difference between machines: options, traces, warnings of the libraries. */
const ENVIRONMENT = {
  NODE_ENV: 'production',
  NODE_OPTIONS: '',
  NODE_NO_WARNINGS: '1',
  LANGSMITH_TRACING: 'false',
};

/** The process of one side, as the one that compares sees it. */
export class SideProcess {
  constructor(workload, side, isQuick) {
    this.title = `${workload.name}, ${side}`;
    this.child = fork(WORKER, [workload.name, side, String(isQuick)], {
      execArgv: workload.execArgv ?? [],
      env: { ...process.env, ...ENVIRONMENT },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  ready() {
    return this.answer('ready');
  }

  async measure() {
    const answer = this.answer('measured');
    this.child.send({ type: 'measure' });
    return (await answer).values;
  }

  async stop() {
    if (this.child.exitCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.disconnect();
    await exit;
  }

  async answer(type) {
    const end = new AbortController();
    const signal = AbortSignal.any([end.signal, AbortSignal.timeout(TIME_LIMIT)]);
    try {
      const [message] = await Promise.race([
        once(this.child, 'message', { signal }),
        once(this.child, 'exit', { signal }).then(() => [{ error: 'the process ended' }]),
      ]);
      if (message.type === type) return message;
      throw new Error(`${this.title}: ${message.error}`);
    } finally {
      end.abort();
    }
  }
}
