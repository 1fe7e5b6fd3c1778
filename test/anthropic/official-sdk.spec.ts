/** The servers of these tests are not made for our model: Anthropic's own client reads them the same. */
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { sendJson, startServer } from '../models/test-server.js';
import { read, REQUEST } from './support/replay.js';
import { events, message, sendEvents } from './support/streams.js';

const CONTENT = [
  { type: 'thinking', thinking: 'Let me see.', signature: 'sig-1' },
  { type: 'redacted_thinking', data: 'c2VjcmV0' },
  { type: 'text', text: 'Grüße aus 東京 🗼' },
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
  { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
  { type: 'tool_use', id: 'toolu_1', name: 'find', input: { city: '東京' } },
];
const USAGE = { input_tokens: 10, cache_read_input_tokens: 7, output_tokens: 5 };
const PARAMS = {
  model: 'claude-opus-4-6',
  max_tokens: 16_384,
  messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }],
};

describe('Anthropic’s own client', () => {
  it('reads the same from a stream', async () => {
    const server = await startServer((response) => {
      sendEvents(response, events(CONTENT, { usage: USAGE }));
    });
    const client = new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 0 });
    const official = await client.messages.stream(PARAMS).finalMessage();
    const ours = await read(anthropic({ model: PARAMS.model, apiKey: 'k', baseURL: server.url }));

    expect(official.content).toEqual(CONTENT);
    expect(ours.usage?.inputTokens).toBe(
      official.usage.input_tokens + (official.usage.cache_read_input_tokens ?? 0),
    );
    compare(official, ours);
    expect(server.requests[1]?.url).toBe(server.requests[0]?.url);
    expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
  });

  it('reads the same from a whole answer', async () => {
    const server = await startServer((response) => {
      sendJson(response, 200, message(CONTENT, { usage: USAGE }));
    });
    const client = new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 0 });
    const official = await client.messages.create(PARAMS);
    const model = anthropic({ model: PARAMS.model, apiKey: 'k', baseURL: server.url });
    compare(official, await model.generate(REQUEST, {}));

    expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
  });
});

function compare(official: Anthropic.Message, ours: Awaited<ReturnType<typeof read>>): void {
  const textOf = (type: string) =>
    ours.content
      .map((part) => (part.type === type && part.type !== 'tool-call' ? part.text : ''))
      .join('');
  const calls = ours.content.flatMap((part) =>
    part.type === 'tool-call' ? [[part.id, part.name, JSON.parse(part.arguments)]] : [],
  );
  const blocks = official.content;
  expect(textOf('text')).toBe(
    blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
  );
  expect(textOf('reasoning')).toBe(
    blocks.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
  );
  expect(calls).toEqual(
    blocks.flatMap((block) =>
      block.type === 'tool_use' ? [[block.id, block.name, block.input]] : [],
    ),
  );
  expect(ours.usage?.outputTokens).toBe(official.usage.output_tokens);
  expect([official.stop_reason, ours.finishReason]).toEqual(['tool_use', 'tool-calls']);
}
