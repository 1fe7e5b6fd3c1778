import type { ChatDelta, ChatModel } from 'nestjs-agent-tools';
import {
  createHttpChatModel,
  type ChatProtocol,
  type HttpChatOptions,
} from 'nestjs-agent-tools/model-kit';

const REQUEST = { messages: [] };

const DIALECT = { plain: () => ({ schema: {}, strict: false, losses: [], refusals: [] }) };

/** Each event, and a whole answer, is a text; the number 0 is the end. */
export const JSON_PROTOCOL: ChatProtocol = {
  title: 'JSON',
  factory: 'json',
  profile: () => ({ name: 'test' }),
  toolSchemas: () => DIALECT as never,
  url: ({ baseURL }) => baseURL,
  authorize: () => ({}),
  encode: () => ({ n: 1 }),
  createDecoder: () => ({
    decode: (event) => (event === 0 ? [{ type: 'finish', reason: 'stop' }] : [toText(event)]),
    end: () => [],
    decodeWhole: (body) => [toText(body), { type: 'finish', reason: 'stop' }],
  }),
};

/** A model behind HTTP whose answers are plain JSON. */
export function jsonModel(baseURL: string, options: Partial<HttpChatOptions> = {}): ChatModel {
  return createHttpChatModel(JSON_PROTOCOL, {
    model: 'model',
    baseURL,
    retry: { delay: 4 },
    ...options,
  });
}

/** The JSON of the answer. */
export async function ask(model: ChatModel, signal?: AbortSignal): Promise<unknown> {
  const { content } = await model.generate(REQUEST, { signal });
  return content[0]?.type === 'text' ? JSON.parse(content[0].text) : undefined;
}

/** The texts of the events, up to the end; `texts` has them also after a failure. */
export async function listen(model: ChatModel, texts: string[] = []): Promise<string[]> {
  for await (const delta of model.stream(REQUEST, {})) {
    if (delta.type === 'text') texts.push(delta.text);
  }
  return texts;
}

function toText(value: unknown): ChatDelta {
  return { type: 'text', text: JSON.stringify(value) };
}
