import {
  createHttpChatModel,
  type ChatProtocol,
  type HttpChatOptions,
} from 'nestjs-agent-tools/model-kit';
import { JSON_PROTOCOL } from './json-model.js';

export type PostOptions = Omit<Partial<HttpChatOptions>, 'headers'> & {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** How a stream ended: `done` after the event `[DONE]`, `closed` if the server just closed it. */
export type SseEnd = 'done' | 'closed';

/** A request of a model whose protocol hands everything on as it is, without retries. */
function post(url: string, body: unknown, { signal, ...options }: PostOptions) {
  let end: SseEnd = 'done';
  const protocol: ChatProtocol = {
    ...JSON_PROTOCOL,
    encode: () => body as Record<string, unknown>,
    createDecoder: () => ({
      decode: (event) => [{ type: 'text', text: JSON.stringify(event) }],
      end: (done) => {
        end = done ? 'done' : 'closed';
        return [];
      },
      decodeWhole: (answer) => [
        { type: 'text', text: JSON.stringify(answer) },
        { type: 'finish', reason: 'stop' },
      ],
    }),
  };
  const model = createHttpChatModel(protocol, {
    model: 'model',
    baseURL: url,
    retry: { maxRetries: 0 },
    ...options,
  });
  return { model, signal, end: () => end };
}

/** The JSON of an answer. */
export async function postJson(url: string, body: unknown, options: PostOptions): Promise<unknown> {
  const { model, signal } = post(url, body, options);
  const { content } = await model.generate({ messages: [] }, { signal });
  return content[0]?.type === 'text' ? JSON.parse(content[0].text) : undefined;
}

/** The JSON of each event of an answer, as text. */
export async function* postSse(
  url: string,
  body: unknown,
  options: PostOptions,
): AsyncGenerator<string, SseEnd, undefined> {
  const { model, signal, end } = post(url, body, options);
  for await (const delta of model.stream({ messages: [] }, { signal })) {
    if (delta.type === 'text') yield delta.text;
  }
  return end();
}
