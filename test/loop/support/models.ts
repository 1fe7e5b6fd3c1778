import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
} from 'nestjs-agent-tools';

type Script = (request: ChatRequest, options: ChatOptions) => AsyncIterable<ChatDelta>;

/** A model that only streams, for tests of what a script of whole turns cannot say. */
export function streaming(stream: Script): ChatModel & { requests: ChatRequest[] } {
  const requests: ChatRequest[] = [];
  return {
    name: 'streaming',
    requests,
    generate: () => Promise.reject(new Error('This model only streams.')),
    stream: (request, options = {}) => {
      requests.push({ ...request, messages: [...request.messages] });
      return stream(request, options);
    },
  };
}

/** A model that only answers as a whole. */
export function generating(
  generate: (request: ChatRequest, options: ChatOptions) => Promise<ChatResponse>,
): ChatModel {
  return {
    name: 'generating',
    generate,
    stream: () => {
      throw new Error('This model does not stream.');
    },
  };
}

/** A model that never says anything and does not listen to its signal either. */
export function silent(...first: ChatDelta[]): ChatModel {
  return {
    name: 'silent',
    generate: () => new Promise(() => undefined),
    async *stream() {
      yield* first;
      await new Promise(() => undefined);
    },
  };
}

export const text = (piece: string): ChatDelta => ({ type: 'text', text: piece });

export const STOP: ChatDelta = { type: 'finish', reason: 'stop' };
