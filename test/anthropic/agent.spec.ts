import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { AgentService, repairHistory, Tool, ToolInput, type ChatMessage } from 'nestjs-agent-tools';
import { anthropic, type AnthropicOptions } from 'nestjs-agent-tools/anthropic';
import { z } from 'zod';
import {
  sendJson,
  startServer,
  type ReceivedRequest,
  type TestServer,
} from '../models/test-server.js';
import { createApp } from '../support/app.js';
import { events, message, sendEvents } from './support/streams.js';

const THINKING = { type: 'thinking', thinking: 'I need the order.', signature: 'sig-1' };
const REDACTED = { type: 'redacted_thinking', data: 'c2VjcmV0' };
const LOOKING = { type: 'text', text: 'I look it up.' };
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'findOrder', input: { orderNo: 'A-1' } };
const TURNS = [[THINKING, REDACTED, LOOKING, CALL], [{ type: 'text', text: 'It was shipped.' }]];

@Injectable()
class OrderTools {
  @Tool({
    description: 'Find one order.',
    inputSchema: z.object({ orderNo: z.string() }),
    strict: true,
  })
  findOrder(@ToolInput() { orderNo }: { orderNo: string }) {
    return { orderNo, status: 'shipped' };
  }
}

/** A server that answers with the turns in their order, as it was asked: as a stream, or at once. */
function startAnthropic(turns: readonly object[][]): Promise<TestServer> {
  const server = startServer((response, attempt) => {
    const content = (turns[(attempt - 1) % turns.length] ?? []) as Record<string, unknown>[];
    void server.then(({ requests }) => {
      if (requests[attempt - 1]?.body.stream === true) sendEvents(response, events(content));
      else sendJson(response, 200, message(content));
    });
  });
  return server;
}

async function createAgent(baseURL: string, options: Partial<AnthropicOptions> = {}) {
  const model = anthropic({ model: 'claude-opus-4-6', apiKey: 'k', baseURL, ...options });
  const app = await createApp({ providers: [OrderTools] }, { model, instructions: 'Be kind.' });
  return { app, agent: app.get(AgentService) };
}

describe('an agent with a model of Anthropic’s', () => {
  it.each(['run', 'stream'] as const)(
    'calls a tool and answers from its result, the thinking sent back (%s)',
    async (how) => {
      const server = await startAnthropic(TURNS);
      const { app, agent } = await createAgent(server.url, { reasoningBudget: 2_000, cache: true });
      const result = await (how === 'run'
        ? agent.run('Where is A-1?')
        : agent.stream('Where is A-1?').result);

      expect(result).toMatchObject({ status: 'completed', text: 'It was shipped.' });
      expect(result.usage).toMatchObject({ inputTokens: 20, outputTokens: 10, totalTokens: 30 });
      expect(server.requests).toHaveLength(2);
      const cache_control = { type: 'ephemeral' };
      expect(server.requests[1]?.body).toEqual({
        model: 'claude-opus-4-6',
        max_tokens: 18_384,
        thinking: { type: 'enabled', budget_tokens: 2_000 },
        ...(how === 'stream' && { stream: true }),
        system: [{ type: 'text', text: 'Be kind.', cache_control }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Where is A-1?' }] },
          { role: 'assistant', content: [THINKING, REDACTED, LOOKING, CALL] },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'toolu_1',
                content: '{"orderNo":"A-1","status":"shipped"}',
                cache_control,
              },
            ],
          },
        ],
        tools: [
          {
            name: 'findOrder',
            description: 'Find one order.',
            strict: true,
            input_schema: {
              type: 'object',
              properties: { orderNo: { type: 'string' } },
              required: ['orderNo'],
              additionalProperties: false,
            },
            cache_control,
          },
        ],
        tool_choice: { type: 'auto' },
      });
      await app.close();
    },
  );

  it('goes on with a stored conversation', async () => {
    const server = await startAnthropic([...TURNS, [{ type: 'text', text: 'You are welcome.' }]]);
    const { app, agent } = await createAgent(server.url);
    const first = await agent.run('Where is A-1?');
    const asked: ChatMessage = { role: 'user', content: 'Where is A-1?' };
    const stored = JSON.parse(JSON.stringify([asked, ...first.messages])) as ChatMessage[];
    expect(repairHistory(stored)).toEqual(stored);
    const thanks: ChatMessage = { role: 'user', content: 'Thank you!' };
    await agent.run([...stored, thanks]);
    expect(turnsOf(server.requests[2])[1]).toEqual({
      role: 'assistant',
      content: [THINKING, REDACTED, LOOKING, CALL],
    });
    await app.close();
  });

  it('gets a call of unusable arguments sent back as an object (faults 19, 20)', async () => {
    const server = await startServer((response, attempt) => {
      if (attempt > 1) return sendEvents(response, events(TURNS[1] ?? []));
      const broken = events([CALL]).map((event) =>
        JSON.stringify(event).includes('"partial_json":"{\\"o') ? broke(event) : event,
      );
      return sendEvents(response, broken);
    });
    const { app, agent } = await createAgent(server.url);
    const { status } = await agent.stream('Where is A-1?').result;
    expect(status).toBe('completed');
    const [, turn, results] = turnsOf(server.requests[1]);
    expect(turn?.content).toEqual([
      { ...CALL, input: { INVALID_JSON: expect.stringContaining('oops') as unknown } },
    ]);
    expect(results?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'toolu_1', is_error: true },
    ]);
    await app.close();
  });
});

function turnsOf(request: ReceivedRequest | undefined): readonly { readonly content: object[] }[] {
  return (request?.body.messages ?? []) as { content: object[] }[];
}

function broke(event: object) {
  const delta = { type: 'input_json_delta', partial_json: 'oops ' };
  return { ...event, type: 'content_block_delta', delta };
}
