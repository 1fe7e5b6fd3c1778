import { PROMPT } from './prompt.mjs';

async function createOpenAI({ url, fetch }, useResponsesApi) {
  const { ChatOpenAI } = await import('@langchain/openai');
  const configuration = { baseURL: `${url}/v1`, fetch };
  return new ChatOpenAI({ model: 'a-model', apiKey: 'none', useResponsesApi, configuration });
}

const MODELS = {
  'chat-completions': (server) => createOpenAI(server, false),
  responses: (server) => createOpenAI(server, true),
  async messages({ url, fetch }) {
    const { ChatAnthropic } = await import('@langchain/anthropic');
    return new ChatAnthropic({
      model: 'a-model',
      apiKey: 'none',
      anthropicApiUrl: url,
      clientOptions: { fetch },
    });
  },
};

/** `undefined` for a protocol for which there is none here. */
export async function createReader(protocol, server) {
  const model = await MODELS[protocol]?.(server);
  if (!model) return undefined;
  return async (onText) => {
    for await (const chunk of await model.stream(PROMPT)) {
      const { text } = chunk;
      if (text) onText(text);
    }
  };
}
