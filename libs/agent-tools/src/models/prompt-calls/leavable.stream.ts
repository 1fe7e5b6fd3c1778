import type { ChatDelta } from '../interfaces/chat-model.interface.js';

/**
 * The same stream, which can be left without waiting.
 *
 * @param isCut whether the rest is of no use: then nobody waits until the model lets go, or is told
 * that it failed to
 */
export function leavable(
  stream: AsyncIterable<ChatDelta>,
  isCut: () => boolean,
): AsyncIterable<ChatDelta> {
  return {
    [Symbol.asyncIterator]() {
      const inner = stream[Symbol.asyncIterator]();
      const leave = async () => inner.return?.();
      return {
        next: () => inner.next(),
        return: async () => {
          const leaving = leave();
          if (isCut()) void leaving.catch(() => undefined);
          else await leaving;
          return { done: true, value: undefined };
        },
      };
    },
  };
}
