import type { ChatDelta } from '../interfaces/chat-model.interface.js';
import { endOfStream, RelayedStream, type ChatStep } from '../wrapping/relayed.stream.js';
import type { RequestTurn } from './request.turn.js';

/** A stream that waits for its turn, and has its place until it ends. */
export class LimitedStream extends RelayedStream {
  private turn?: RequestTurn;

  constructor(
    private readonly enter: () => RequestTurn,
    private readonly open: () => AsyncIterable<ChatDelta>,
  ) {
    super();
  }

  protected async begin(): Promise<ChatStep> {
    const turn = this.enter();
    this.turn = turn;
    await turn.ready;
    if (this.isOver) return endOfStream();
    try {
      const inner = this.open()[Symbol.asyncIterator]();
      this.inner = inner;
      this.isPassing = true;
      return await this.pass(inner);
    } catch (error) {
      turn.leave();
      throw error;
    }
  }

  protected override pass(inner: AsyncIterator<ChatDelta, unknown>): Promise<ChatStep> {
    try {
      const next = super.pass(inner);
      next.then(this.onStep, this.onFailure);
      return next;
    } catch (error) {
      this.onFailure();
      throw error;
    }
  }

  override async return(): Promise<ChatStep> {
    try {
      // A stream that is open has its place until it is closed.
      this.turn?.leaveSoon();
      return await super.return();
    } finally {
      this.turn?.leave();
    }
  }

  private readonly onStep = ({ done, value }: ChatStep): void => {
    if (done) this.turn?.leave();
    else if (value?.type === 'usage') this.turn?.report(value.usage);
  };

  private readonly onFailure = (): void => this.turn?.leave();
}
