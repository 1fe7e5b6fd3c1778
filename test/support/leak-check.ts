import { createHook } from 'node:async_hooks';
import { afterAll, beforeAll } from '@jest/globals';

/**
 * `--detectOpenHandles` prints what is left open but exits with 0, so every suite is checked here:
 * each timer, socket and server that was opened since the suite began must be closed when it ends.
 * Unhandled rejections fail a suite without our help.
 */
const WATCHED = new Set(['Timeout', 'TCPWRAP', 'TCPSERVERWRAP', 'TLSWRAP', 'PIPEWRAP']);
const GRACE = 1_500;

interface Handle {
  readonly type: string;
  readonly origin: string;
  readonly resource: { hasRef?: () => boolean };
}

const open = new Map<number, Handle>();

const hook = createHook({
  init(asyncId, type, _triggerId, resource) {
    if (!WATCHED.has(type)) return;
    const frames = (new Error().stack ?? '')
      .split('\n')
      .slice(2)
      .filter((frame) => !frame.includes('node:'));
    // Jest's own timers, which limit how long a test may run.
    if (frames[0]?.includes('/node_modules/jest-')) return;
    open.set(asyncId, {
      type,
      origin: frames[0]?.trim() ?? 'unknown origin',
      resource,
    });
  },
  destroy(asyncId) {
    open.delete(asyncId);
  },
});

function leaks(): Handle[] {
  return [...open.values()].filter(({ resource }) => resource.hasRef?.() !== false);
}

beforeAll(() => {
  open.clear();
  hook.enable();
});

afterAll(async () => {
  const deadline = performance.now() + GRACE;
  while (leaks().length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  hook.disable();
  const left = leaks();
  if (left.length > 0) {
    const lines = left.map(({ type, origin }) => `  ${type} ${origin}`);
    throw new Error(`The suite left open:\n${lines.join('\n')}`);
  }
}, GRACE + 3_000);
