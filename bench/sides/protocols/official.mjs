import { PROMPT } from './prompt.mjs';

const MESSAGES = [{ role: 'user', content: PROMPT }];

/** The library of the provider itself. */
const READERS = {
  async 'chat-completions'({ url, fetch }) {
    const { default: OpenAI } = await import('openai');
    const client = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, fetch });
    const body = { model: 'a-model', messages: MESSAGES, stream: true };
    return async (onText) => {
      for await (const chunk of await client.chat.completions.create(body)) {
        const text = chunk.choices[0]?.delta.content;
        if (text) onText(text);
      }
    };
  },

  async responses({ url, fetch }) {
    const { default: OpenAI } = await import('openai');
    const client = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, fetch });
    const body = { model: 'a-model', input: PROMPT, stream: true };
    return async (onText) => {
      for await (const event of await client.responses.create(body)) {
        if (event.type === 'response.output_text.delta') onText(event.delta);
      }
    };
  },

  async messages({ url, fetch }) {
    const { default: Anthropic } = await import('@anthropic-ai/sdk');
    const client = new Anthropic({ apiKey: 'none', baseURL: url, fetch });
    const body = { model: 'a-model', max_tokens: 1_000, messages: MESSAGES, stream: true };
    return async (onText) => {
      for await (const event of await client.messages.create(body)) {
        if (event.type !== 'content_block_delta') continue;
        if (event.delta.type === 'text_delta') onText(event.delta.text);
      }
    };
  },

  async 'generate-content'({ url, fetch }) {
    const { GoogleGenAI } = await import('@google/genai');
    // It takes no `fetch`.
    if (fetch) globalThis.fetch = fetch;
    const options = { apiKey: 'none', vertexai: false, httpOptions: { baseUrl: url } };
    const client = new GoogleGenAI(options);
    return async (onText) => {
      const body = { model: 'a-model', contents: PROMPT };
      for await (const chunk of await client.models.generateContentStream(body)) {
        const { text } = chunk;
        if (text) onText(text);
      }
    };
  },
};

export const createReader = (protocol, server) => READERS[protocol](server);
