import type { ChatDelta } from 'nestjs-agent-tools';

type ToolCallDelta = Extract<ChatDelta, { type: 'tool-call' }>;

/** What came in pieces, so that a whole message behind them repeats nothing of it. */
export class StreamedParts {
  hasReasoning = false;
  private hasText = false;
  private hasCalls = false;
  private readonly ids = new Set<string>();
  /** Whether each call that came can be told by its id. */
  private areKnown = true;

  get hasAny(): boolean {
    return this.hasReasoning || this.hasText || this.hasCalls;
  }

  add(delta: ChatDelta): void {
    if (delta.type === 'reasoning') this.hasReasoning = true;
    else if (delta.type === 'text') this.hasText = true;
    else if (delta.type === 'tool-call') this.addCall(delta);
  }

  /** Those of a whole message that did not come in pieces. */
  missing(whole: readonly ChatDelta[]): ChatDelta[] {
    const isNew = this.callFilter(whole);
    const isAnswered = this.hasText || this.hasCalls;
    return whole.filter((delta) => {
      if (delta.type === 'tool-call') return isNew(delta);
      return !isAnswered && (delta.type !== 'reasoning' || !this.hasReasoning);
    });
  }

  private addCall({ id, name, arguments: json }: ToolCallDelta): void {
    if (!id && !name && !json) return;
    this.hasCalls = true;
    if (id) this.ids.add(id);
    else if (name) this.areKnown = false;
  }

  /** A server that makes up new ids for the message would have each call run twice. */
  private callFilter(whole: readonly ChatDelta[]): (call: ToolCallDelta) => boolean {
    if (!this.hasCalls) return () => true;
    const given = new Set(whole.map((delta) => delta.type === 'tool-call' && delta.id));
    const isSure = this.areKnown && [...this.ids].every((id) => given.has(id));
    return ({ id }) => isSure && id !== undefined && !this.ids.has(id);
  }
}
