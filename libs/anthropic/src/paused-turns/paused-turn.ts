import type {
  AssistantPart,
  ChatDelta,
  ChatRequest,
  ChatResponse,
  Usage,
} from 'nestjs-agent-tools';
import { addUsage } from 'nestjs-agent-tools/model-kit';
import { readMetadata } from '../block.metadata.js';

const MAX_PIECES = 10;

/** A turn of the model that comes in pieces, as Anthropic pauses it while its own tools are at work. */
export class PausedTurn {
  private content: readonly AssistantPart[] = [];
  private usage?: Usage;
  private pieces = 1;
  private firstPart = 0;
  private nextPart = 0;

  constructor(private readonly first: ChatRequest) {}

  /** What is asked for the next piece. */
  get request(): ChatRequest {
    const { first, content } = this;
    if (content.length === 0) return first;
    return { ...first, messages: [...first.messages, { role: 'assistant', content }] };
  }

  /** Takes a piece. Whether another one is to come. */
  add({ content, finishReason, usage }: ChatResponse): boolean {
    const isLast = finishReason !== 'other' || !isPaused(content) || this.pieces >= MAX_PIECES;
    this.content = [...this.content, ...content];
    this.usage = addUsage(this.usage, usage);
    this.firstPart = this.nextPart;
    this.pieces++;
    return !isLast;
  }

  /** The whole turn. @param last its last piece, which was added. */
  whole({ finishReason }: ChatResponse): ChatResponse {
    const { content, usage } = this;
    return { content, finishReason, ...(usage && { usage }) };
  }

  /** A delta of a piece as one of the whole turn. */
  toDeltas(delta: ChatDelta): ChatDelta[] {
    if (delta.type === 'usage') {
      return [{ type: 'usage', usage: addUsage(this.usage, delta.usage) ?? delta.usage }];
    }
    // Only this piece begins anew.
    if (delta.type === 'restart') return [delta, ...this.replay()];
    if (delta.type !== 'text' && delta.type !== 'reasoning') return [delta];
    const part = this.firstPart + (delta.part ?? 0);
    this.nextPart = Math.max(this.nextPart, part + 1);
    return [{ ...delta, part }];
  }

  private replay(): ChatDelta[] {
    const { content, usage } = this;
    const deltas = content
      .filter((part) => part.type !== 'tool-call')
      .map((part, index): ChatDelta => ({ ...part, part: index }));
    return usage ? [...deltas, { type: 'usage', usage }] : deltas;
  }
}

function isPaused(content: readonly AssistantPart[]): boolean {
  return (
    content.every(({ type }) => type !== 'tool-call') &&
    content.some(({ providerMetadata }) => readMetadata(providerMetadata).block !== undefined)
  );
}
