import type { ChatDelta } from 'nestjs-agent-tools';
import { isRecord } from 'nestjs-agent-tools/model-kit';
import type { WireContentPart, WireEvent } from './interfaces/responses.interface.js';
import { OutputItem, type TextKind } from './output.item.js';
import { PART_KINDS, TEXT_EVENTS } from './text-events.js';

/** Keeps the items of an answer apart, which may come at the same time. */
export class OutputDecoder {
  private readonly items: OutputItem[] = [];
  private readonly byIndex = new Map<number, OutputItem>();
  private readonly byId = new Map<string, OutputItem>();

  constructor(private readonly provider: string) {}

  get refused(): boolean {
    return this.items.some((item) => item.refused);
  }

  get hasCalls(): boolean {
    return this.items.some((item) => item.isCall);
  }

  /** Whether a call is not done, or was left off by the model. */
  get hasOpenCalls(): boolean {
    return this.items.some((item) => item.isCall && !item.isWhole);
  }

  /** The pieces in one event; none in one that is not known. */
  decode(type: string, event: WireEvent): ChatDelta[] {
    const text = TEXT_EVENTS.get(type);
    if (text) {
      const { kind, isWhole } = text;
      const place = kind === 'summary' ? event.summary_index : event.content_index;
      const content = isWhole ? (event.text ?? event.refusal) : event.delta;
      return this.itemOf(event, text.item).pushText(kind, place, content, isWhole);
    }
    switch (type) {
      case 'response.output_item.added':
        return isRecord(event.item) ? this.itemOf(event, event.item.type).open(event.item) : [];
      case 'response.output_item.done':
        return isRecord(event.item) ? this.itemOf(event, event.item.type).finish(event.item) : [];
      case 'response.function_call_arguments.delta':
        return this.itemOf(event, 'function_call').pushArguments(event.delta, false);
      case 'response.function_call_arguments.done':
        return this.itemOf(event, 'function_call').pushArguments(event.arguments, true);
      case 'response.content_part.done':
        return this.decodePart(event, event.content_index);
      case 'response.reasoning_summary_part.done':
        return this.decodePart(event, event.summary_index);
      default:
        return [];
    }
  }

  /** What the list at the end holds and no event did. */
  complete(output: unknown): ChatDelta[] {
    if (!Array.isArray(output)) return [];
    // Else the server counts in its own way, and what seems new is not.
    const isMissing = this.items.length < output.length;
    return (output as readonly unknown[]).flatMap((wire, index) => {
      const known = this.byIndex.get(index);
      if (!isRecord(wire) || known?.isDone || (!known && !isMissing)) return [];
      return this.itemOf({ output_index: index }, wire.type).finish(wire);
    });
  }

  private decodePart(event: WireEvent, place: unknown): ChatDelta[] {
    if (!isRecord(event.part)) return [];
    const { type, text, refusal }: WireContentPart = event.part;
    const kind: TextKind | undefined = PART_KINDS.get(type);
    if (!kind) return [];
    const item = kind === 'text' || kind === 'refusal' ? 'message' : 'reasoning';
    return this.itemOf(event, item).pushText(kind, place, text ?? refusal, true);
  }

  private itemOf(event: WireEvent, type: unknown): OutputItem {
    const { output_index: index, item } = event;
    const id = event.item_id ?? (isRecord(item) ? item.id : undefined);
    const found = typeof index === 'number' ? this.byIndex.get(index) : this.without(id, item);
    return found ?? this.add(index, id, type);
  }

  /** The item of an event without an index. */
  private without(id: unknown, item: unknown): OutputItem | undefined {
    if (typeof id === 'string') return this.byId.get(id);
    return item === undefined ? this.items.at(-1) : undefined;
  }

  private add(index: unknown, id: unknown, type: unknown): OutputItem {
    const place = typeof index === 'number' ? index : this.items.length;
    const item = new OutputItem(this.provider, place, type);
    this.items.push(item);
    this.byIndex.set(place, item);
    if (typeof id === 'string') this.byId.set(id, item);
    return item;
  }
}
