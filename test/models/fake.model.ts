import {
  ChatStreamAssembler,
  type ChatDelta,
  type ChatModel,
  type ChatOptions,
  type ChatRequest,
  type ChatResponse,
  type Usage,
} from 'nestjs-agent-tools';

/** Pieces, and what is thrown after them. */
export type FakeAnswer = readonly (ChatDelta | Error)[];

export const REQUEST: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }] };
export const STOP: ChatDelta = { type: 'finish', reason: 'stop' };

export const text = (value: string): ChatDelta => ({ type: 'text', text: value });
export const answer = (value: string): FakeAnswer => [text(value), STOP];
export const usage = (totalTokens: number): Extract<ChatDelta, { type: 'usage' }> => ({
  type: 'usage',
  usage: { inputTokens: totalTokens, outputTokens: 0, totalTokens } satisfies Usage,
});

/** Gives one answer after the other; the last one again and again. */
export class FakeModel implements ChatModel {
  readonly requests: ChatRequest[] = [];
  readonly options: ChatOptions[] = [];
  /** Streams that were opened and are not closed. */
  open = 0;
  private readonly answers: readonly FakeAnswer[];

  constructor(
    readonly name: string,
    ...answers: readonly FakeAnswer[]
  ) {
    this.answers = answers;
  }

  get asked(): number {
    return this.requests.length;
  }

  async generate(request: ChatRequest, options: ChatOptions): Promise<ChatResponse> {
    const assembler = new ChatStreamAssembler();
    for await (const delta of this.stream(request, options)) assembler.push(delta);
    return assembler.finish();
  }

  async *stream(
    request: ChatRequest,
    options: ChatOptions,
  ): AsyncGenerator<ChatDelta, void, undefined> {
    const pieces = this.answers[Math.min(this.asked, this.answers.length - 1)];
    this.requests.push(request);
    this.options.push(options);
    this.open++;
    try {
      for (const piece of pieces) {
        await Promise.resolve();
        if (piece instanceof Error) throw piece;
        yield piece;
      }
    } finally {
      this.open--;
    }
  }
}

/** What a consumer would store. */
export async function assemble(deltas: AsyncIterable<ChatDelta>): Promise<ChatResponse> {
  const assembler = new ChatStreamAssembler();
  for await (const delta of deltas) assembler.push(delta);
  return assembler.finish();
}

export function iterate(model: ChatModel, options: ChatOptions = {}) {
  const iterator = model.stream(REQUEST, options)[Symbol.asyncIterator]();
  return {
    next: () => iterator.next() as Promise<IteratorResult<ChatDelta, void>>,
    return: async () => iterator.return?.(),
  };
}
