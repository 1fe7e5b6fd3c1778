import { createParser } from 'eventsource-parser';
import { STREAMS } from '../../fixtures/protocol-streams.mjs';
import { PROMPT } from './prompt.mjs';

const TEXTS = {
  'chat-completions': ({ choices }) => choices[0]?.delta.content,
  responses: ({ type, delta }) => (type === 'response.output_text.delta' ? delta : undefined),
  messages: ({ type, delta }) => (type === 'content_block_delta' ? delta.text : undefined),
  'generate-content': ({ candidates }) => candidates?.[0]?.content.parts[0]?.text,
};

/** No retries, no timeouts, no errors, no calls. */
export async function createReader(protocol, { url, fetch = globalThis.fetch }) {
  const textOf = TEXTS[protocol];
  const address = `${url}/v1${STREAMS[protocol].path}`;
  const body = JSON.stringify({ model: 'a-model', input: PROMPT, stream: true });
  async function* read() {
    const response = await fetch(address, { method: 'POST', body });
    const decoder = new TextDecoder();
    let events = [];
    const parser = createParser({ onEvent: ({ data }) => events.push(data) });
    for await (const bytes of response.body) {
      parser.feed(decoder.decode(bytes, { stream: true }));
      for (const data of events) {
        if (data === '[DONE]') continue;
        const text = textOf(JSON.parse(data));
        if (text) yield { type: 'text', text };
      }
      events = [];
    }
  }
  return async (onText) => {
    for await (const delta of read()) if (delta.type === 'text') onText(delta.text);
  };
}
