import type { ChatDelta } from 'nestjs-agent-tools';
import { isSameJson } from '../../shared/is-same-json.js';

type ToolCallDelta = Extract<ChatDelta, { type: 'tool-call' }>;

/** What came in pieces, so that a whole message behind them repeats nothing of it. */
export class StreamedParts {
  hasReasoning = false;
  /** Whether pieces of a call were lost: the whole message has other arguments. */
  isBroken = false;
  private hasText = false;
  private hasCalls = false;
  /** The arguments of the calls that can be told by an id, as far as they came. */
  private readonly written = new Map<string, string>();
  /** The calls that can be told by an index only, once it has come with an id. */
  private readonly ids = new Map<number, string>();
  private latest?: string;
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
    const given = new Set(whole.map((delta) => delta.type === 'tool-call' && delta.id));
    const isSure = this.areKnown && [...this.written.keys()].every((id) => given.has(id));
    const isAnswered = this.hasText || this.hasCalls;
    return whole.flatMap((delta): ChatDelta[] => {
      if (delta.type === 'tool-call') return this.missingOf(delta, isSure);
      const isMissing = !isAnswered && (delta.type !== 'reasoning' || !this.hasReasoning);
      return isMissing ? [delta] : [];
    });
  }

  /** @param isSure A server that makes up new ids for the message would have each call run twice. */
  private missingOf(call: ToolCallDelta, isSure: boolean): ToolCallDelta[] {
    if (!this.hasCalls) return [call];
    const { id, arguments: json = '' } = call;
    const written = id === undefined ? undefined : this.written.get(id);
    if (written === undefined) return isSure && id !== undefined ? [call] : [];
    if (written.trim() === '' && json.trim() !== '')
      return [{ type: 'tool-call', id, arguments: json }];
    this.isBroken ||= json.trim() !== '' && !isSameJson(written, json);
    return [];
  }

  private addCall({ id, index, name, arguments: json = '' }: ToolCallDelta): void {
    if (!id && !name && !json) return;
    this.hasCalls = true;
    if (!id && name) this.areKnown = false;
    const key = id ?? (index === undefined ? this.latest : this.ids.get(index));
    if (key === undefined) return;
    this.latest = key;
    if (index !== undefined) this.ids.set(index, key);
    this.written.set(key, (this.written.get(key) ?? '') + json);
  }
}
