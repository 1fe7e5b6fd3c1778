import type { ChatDelta, ChatRequest } from '../interfaces/chat-model.interface.js';
import { endOfStream, RelayedStream, type ChatStep } from '../wrapping/relayed.stream.js';

/** A stream whose request is still being made. */
export class PreparedStream extends RelayedStream {
  constructor(
    private readonly prepare: () => Promise<ChatRequest>,
    private readonly open: (request: ChatRequest) => AsyncIterable<ChatDelta>,
  ) {
    super();
  }

  protected async begin(): Promise<ChatStep> {
    const request = await this.prepare();
    if (this.isOver) return endOfStream();
    const inner = this.open(request)[Symbol.asyncIterator]();
    this.inner = inner;
    this.isPassing = true;
    return this.pass(inner);
  }
}
