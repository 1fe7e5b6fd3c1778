import type { ChatDelta } from 'nestjs-agent-tools';
import { isRecord, isText } from 'nestjs-agent-tools/model-kit';
import { CallArguments } from './call.arguments.js';
import type { WireItem } from '../request/interfaces/item-encoding.interface.js';
import type { WireContentPart, WireOutputItem } from './interfaces/responses.interface.js';
import { writeMetadata, type ItemMetadata } from '../item.metadata.js';
import { PART_KINDS } from './text-events.js';

/** What a text of an item is: of a message, or of reasoning. */
export type TextKind = 'text' | 'refusal' | 'summary' | 'reasoning';

/** One item of an answer: what came of it, so that nothing is told twice. */
export class OutputItem {
  refused = false;
  isDone = false;
  private isIncomplete = false;
  private readonly seen = new Set<string>();
  private hasName = false;
  private readonly arguments = new CallArguments();
  private metadata: ItemMetadata;
  /** Of what the metadata were told. */
  private told?: ItemMetadata;

  constructor(
    private readonly provider: string,
    private readonly index: number,
    private readonly type: unknown,
  ) {
    this.metadata = { index };
  }

  get isWhole(): boolean {
    return this.isDone && !this.isIncomplete && !this.arguments.isBroken;
  }

  get isCall(): boolean {
    return this.type === 'function_call' && this.hasName;
  }

  open(item: WireOutputItem): ChatDelta[] {
    const { id, phase, namespace } = item;
    this.metadata = {
      index: this.index,
      ...(isText(id) && { id }),
      ...(isText(phase) && { phase }),
      ...(isText(namespace) && { namespace }),
    };
    return this.type === 'function_call' ? this.pushCall(item) : [];
  }

  finish(item: WireItem): ChatDelta[] {
    if (this.isDone) return [];
    this.isDone = true;
    this.isIncomplete = item.status === 'incomplete' || item.status === 'in_progress';
    const { type, content, summary, arguments: json }: WireOutputItem = item;
    if (type === 'function_call') return [...this.open(item), ...this.pushArguments(json, true)];
    if (type === 'message') {
      this.open(item);
      return [...this.pushContent(content), ...this.pushLateMetadata()];
    }
    if (!isText(type)) return [];
    const deltas =
      type === 'reasoning' ? [...this.pushContent(summary), ...this.pushContent(content)] : [];
    const { status: _, ...rest } = item;
    const kept: WireItem = type === 'reasoning' ? rest : item;
    deltas.push({
      ...this.piece('reasoning', ''),
      ...this.write({ index: this.index, item: kept }),
    });
    return deltas;
  }

  /** @param isWhole whether it is of use only if nothing of this text came before */
  pushText(kind: TextKind, place: unknown, text: unknown, isWhole: boolean): ChatDelta[] {
    if (!isText(text)) return [];
    const key = `${kind} ${String(place ?? 0)}`;
    const isNew = !this.seen.has(key);
    if (isWhole && !isNew) return [];
    const isMessage = kind === 'text' || kind === 'refusal';
    // Parts of a summary are paragraphs, those of a message follow directly.
    const separator = isNew && !isMessage && this.seen.size > 0 ? '\n\n' : '';
    this.seen.add(key);
    if (kind === 'refusal') this.refused = true;
    return [this.piece(isMessage ? 'text' : 'reasoning', separator + text, !this.told)];
  }

  pushArguments(json: unknown, isWhole: boolean): ChatDelta[] {
    const text = this.arguments.take(json, isWhole);
    if (text === undefined) return [];
    return [{ type: 'tool-call', index: this.index, arguments: text }];
  }

  private pushContent(content: unknown): ChatDelta[] {
    if (typeof content === 'string') {
      return this.pushText(this.type === 'message' ? 'text' : 'reasoning', 0, content, true);
    }
    if (!Array.isArray(content)) return [];
    return (content as readonly unknown[]).flatMap((part, place) => {
      if (!isRecord(part)) return [];
      const { type, text, refusal }: WireContentPart = part;
      const kind = PART_KINDS.get(type);
      return kind ? this.pushText(kind, place, text ?? refusal, true) : [];
    });
  }

  private pushCall({ call_id: callId, id, name }: WireOutputItem): ChatDelta[] {
    if (this.hasName || !isText(name)) return [];
    this.hasName = true;
    const given = isText(callId) ? callId : id;
    return [
      {
        type: 'tool-call',
        index: this.index,
        ...(isText(given) && { id: given }),
        name,
        ...this.write(this.metadata),
      },
    ];
  }

  /** A phase that is only known at the end. */
  private pushLateMetadata(): ChatDelta[] {
    const { told, metadata } = this;
    if (!told || (told.id === metadata.id && told.phase === metadata.phase)) return [];
    return [this.piece('text', '', true)];
  }

  private piece(
    type: 'text' | 'reasoning',
    text: string,
    withMetadata = false,
  ): Extract<ChatDelta, { type: 'text' | 'reasoning' }> {
    return {
      type,
      text,
      part: this.index,
      ...(withMetadata && this.write(type === 'text' ? this.ofMessage() : { index: this.index })),
    };
  }

  /** A refusal is sent back as the text that it is, which is another item than the server knows. */
  private ofMessage(): ItemMetadata {
    const { id, ...rest } = this.metadata;
    return this.refused ? rest : { ...rest, ...(id && { id }) };
  }

  private write(metadata: ItemMetadata): Pick<ChatDelta & { type: 'text' }, 'providerMetadata'> {
    this.told = this.metadata;
    return { providerMetadata: writeMetadata(this.provider, metadata) };
  }
}
