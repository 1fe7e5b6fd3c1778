import {
  ChatStreamAssembler,
  type ChatDelta,
  type ChatModel,
  type ChatRequest,
  type ChatResponse,
} from 'nestjs-agent-tools';
import { anthropic, type AnthropicOptions } from 'nestjs-agent-tools/anthropic';
import { collect } from '../../models/test-server.js';
import { toSse, type WireEvent } from './streams.js';

export const REQUEST: ChatRequest = { messages: [{ role: 'user', content: 'Hi' }] };

/** A model whose `fetch` gives these bodies, one after the other, and notes what it was sent. */
export function replay(
  bodies: readonly (object | string)[],
  options: Partial<AnthropicOptions> = {},
) {
  const sent: Record<string, unknown>[] = [];
  const model = anthropic({
    model: 'claude-opus-4-6',
    apiKey: 'sk-test',
    retry: { maxRetries: 0 },
    fetch: async (_url, init) => {
      sent.push(JSON.parse(String(init?.body)) as Record<string, unknown>);
      const body = bodies[sent.length - 1];
      if (typeof body !== 'string') return Response.json(body);
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
    ...options,
  });
  return { model, sent };
}

/** The pieces that a model makes of the events of one stream. */
export function decode(list: readonly WireEvent[]): Promise<ChatDelta[]> {
  return collect(replay([toSse(list)]).model.stream(REQUEST, {}));
}

export async function read(
  model: ChatModel,
  request: ChatRequest = REQUEST,
): Promise<ChatResponse> {
  const assembler = new ChatStreamAssembler();
  for await (const delta of model.stream(request, {})) assembler.push(delta);
  return assembler.finish();
}

/** The whole answer that the events of one stream give. */
export function answer(list: readonly WireEvent[]): Promise<ChatResponse> {
  return read(replay([toSse(list)]).model);
}
