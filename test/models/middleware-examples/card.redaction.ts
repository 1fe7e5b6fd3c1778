import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
} from 'nestjs-agent-tools';
import type { ChatModelMiddleware } from '../../../libs/agent-tools/src/models/middleware/interfaces/chat-model-middleware.interface.js';

const CARD = /\b\d(?:[ -]?\d){12,18}\b/g;
/** What may be the beginning of a number, at the end of a text. */
const OPEN = /\d[\d -]{0,40}$/;

const redact = (text: string) => text.replace(CARD, '[card]');

export class CardRedaction implements ChatModelMiddleware {
  request(request: ChatRequest): ChatRequest {
    const json = JSON.stringify(request.messages, (key, value: unknown) =>
      (key === 'text' || key === 'content') && typeof value === 'string' ? redact(value) : value,
    );
    return { ...request, messages: JSON.parse(json) as ChatRequest['messages'] };
  }

  async generate(
    request: ChatRequest,
    options: ChatOptions,
    next: ChatModel,
  ): Promise<ChatResponse> {
    const response = await next.generate(request, options);
    const content = response.content.map((part) =>
      part.type === 'tool-call' ? part : { ...part, text: redact(part.text) },
    );
    return { ...response, content };
  }

  async *stream(
    request: ChatRequest,
    options: ChatOptions,
    next: ChatModel,
  ): AsyncGenerator<ChatDelta> {
    let held: Extract<ChatDelta, { type: 'text' | 'reasoning' }> | undefined;
    for await (const delta of next.stream(request, options)) {
      if (delta.type === 'usage') {
        yield delta;
      } else if (delta.type === 'text' || delta.type === 'reasoning') {
        const isSame = held?.type === delta.type && held.part === delta.part;
        if (held && !isSame) yield { ...held, text: redact(held.text) };
        const text = held && isSame ? held.text + delta.text : delta.text;
        const certain = text.slice(0, OPEN.exec(text)?.index);
        held = { type: delta.type, part: delta.part, text: text.slice(certain.length) };
        yield { ...delta, text: redact(certain) };
      } else {
        if (held && delta.type !== 'restart') yield { ...held, text: redact(held.text) };
        held = undefined;
        yield delta;
      }
    }
    if (held) yield { ...held, text: redact(held.text) };
  }
}
