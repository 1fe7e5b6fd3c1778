import type { ChatDelta, ChatResponse } from '../interfaces/chat-model.interface.js';

/** A complete answer as the stream that it might have come in. */
export function responseDeltas({ content, usage, finishReason }: ChatResponse): ChatDelta[] {
  const deltas = content.map((part, index): ChatDelta =>
    part.type === 'tool-call' ? { ...part, index } : { ...part, part: index },
  );
  if (usage) deltas.push({ type: 'usage', usage });
  deltas.push({ type: 'finish', reason: finishReason });
  return deltas;
}
