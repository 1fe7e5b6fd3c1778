import { createParser } from 'eventsource-parser';
import { loadLibrary } from '../lib/library.mjs';

const URL = 'http://localhost/v1';
const MESSAGES = [{ role: 'user', content: 'Tell me a story.' }];

/** For each side a function that reads one streamed answer and returns how many pieces of text came. */
export const READERS = {
  async ours(fetch) {
    const { openai } = await loadLibrary('openai');
    const model = openai({ model: 'gpt-5-mini', apiKey: 'none', baseURL: URL, fetch });
    return async () => {
      let count = 0;
      for await (const delta of model.stream({ messages: MESSAGES }, {})) {
        if (delta.type === 'text') count++;
      }
      return count;
    };
  },

  /** No retries, no timeouts, no errors, no calls. */
  async floor(fetch) {
    const read = async function* () {
      const body = JSON.stringify({ model: 'gpt-5-mini', messages: MESSAGES, stream: true });
      const response = await fetch(`${URL}/chat/completions`, { method: 'POST', body });
      const decoder = new TextDecoder();
      let events = [];
      const parser = createParser({ onEvent: ({ data }) => events.push(data) });
      for await (const bytes of response.body) {
        parser.feed(decoder.decode(bytes, { stream: true }));
        for (const data of events) {
          if (data === '[DONE]') return;
          const text = JSON.parse(data).choices[0]?.delta.content;
          if (text) yield { type: 'text', text };
        }
        events = [];
      }
    };
    return async () => {
      let count = 0;
      for await (const delta of read()) if (delta.type === 'text') count++;
      return count;
    };
  },

  async 'openai (SDK)'(fetch) {
    const { default: OpenAI } = await import('openai');
    const client = new OpenAI({ apiKey: 'none', baseURL: URL, fetch });
    return async () => {
      const body = { model: 'gpt-5-mini', messages: MESSAGES, stream: true };
      let count = 0;
      for await (const chunk of await client.chat.completions.create(body)) {
        if (chunk.choices[0]?.delta.content) count++;
      }
      return count;
    };
  },
};
