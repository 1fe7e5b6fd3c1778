import {
  ChatStreamAssembler,
  type ChatDelta,
  type ChatModel,
  type ChatOptions,
  type ChatRequest,
  type ChatResponse,
  type ToolCallPart,
} from 'nestjs-agent-tools';
import { openai } from 'nestjs-agent-tools/openai';
import { fromChunks, scripted } from 'nestjs-agent-tools/testing';

const REQUEST: ChatRequest = { messages: [{ role: 'user', content: 'Go.' }] };

/** A piece of one call, as Chat Completions streams it. */
export type WirePiece = Readonly<Record<string, unknown>>;

/** A model of Chat Completions whose server streams these pieces of calls, chunk by chunk. */
export function streamingCalls(...chunks: readonly (readonly WirePiece[])[]): ChatModel {
  return streamingDeltas(...chunks.map((tool_calls) => ({ tool_calls })));
}

/** The same for any deltas. */
export function streamingDeltas(...deltas: readonly object[]): ChatModel {
  return streamingChunks(...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })), {
    choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }],
  });
}

/** The same for any chunks. */
export function streamingChunks(...chunks: readonly object[]): ChatModel {
  return fromChunks(openai, chunks, { done: true });
}

export async function collect(model: ChatModel, request = REQUEST): Promise<ChatResponse> {
  const assembler = new ChatStreamAssembler();
  for await (const delta of model.stream(request, {})) assembler.push(delta);
  return assembler.finish();
}

export function callsOf({ content }: ChatResponse): ToolCallPart[] {
  return content.filter((part) => part.type === 'tool-call');
}

/** Names and arguments of the calls. */
export async function readCalls(model: ChatModel): Promise<[string, string][]> {
  return callsOf(await collect(model)).map(({ name, arguments: json }) => [name, json]);
}

export function textOf({ content }: ChatResponse): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Asks one model after the other, and then says "done". */
export class Turns implements ChatModel {
  readonly name = 'turns';
  readonly requests: ChatRequest[] = [];
  private readonly rest: ChatModel[];

  constructor(...models: ChatModel[]) {
    this.rest = [...models];
  }

  generate(request: ChatRequest, options: ChatOptions): Promise<ChatResponse> {
    return this.next(request).generate(request, options);
  }

  stream(request: ChatRequest, options: ChatOptions): AsyncIterable<ChatDelta> {
    return this.next(request).stream(request, options);
  }

  private next(request: ChatRequest): ChatModel {
    this.requests.push({ ...request, messages: [...request.messages] });
    return this.rest.shift() ?? scripted(['done']);
  }
}
