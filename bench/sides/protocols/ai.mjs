import { streamText } from 'ai';
import { PROMPT } from './prompt.mjs';

const MODELS = {
  async 'chat-completions'({ url, ...options }) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ baseURL: `${url}/v1`, ...options }).chat('a-model');
  },
  async responses({ url, ...options }) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ baseURL: `${url}/v1`, ...options }).responses('a-model');
  },
  async messages({ url, ...options }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL: `${url}/v1`, ...options })('a-model');
  },
  async 'generate-content'({ url, ...options }) {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, ...options })('a-model');
  },
};

export async function createReader(protocol, { url, fetch }) {
  const model = await MODELS[protocol]({ url, fetch, apiKey: 'none' });
  const request = { model, prompt: PROMPT, maxOutputTokens: 1_000 };
  return async (onText) => {
    for await (const text of streamText(request).textStream) onText(text);
  };
}
