import { describe, expect, it } from '@jest/globals';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai, openaiResponses } from 'nestjs-agent-tools/openai';
import { fromChunks } from 'nestjs-agent-tools/testing';
import { startAgent } from '../loop/support/agent.js';
import { collect, streamingChunks } from './support.js';

const claude = (started: object, ...deltas: object[]) =>
  fromChunks(anthropic, [
    { type: 'message_start', message: { usage: started } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } },
    { type: 'content_block_stop', index: 0 },
    ...deltas.map((usage) => ({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage,
    })),
    { type: 'message_stop' },
  ]);

describe('the usage', () => {
  it('91: of Anthropic is the last that it says, not the sum', async () => {
    const model = claude(
      { input_tokens: 27, output_tokens: 1 },
      { input_tokens: 27, output_tokens: 47 },
    );
    expect((await collect(model)).usage).toMatchObject({ inputTokens: 27, outputTokens: 47 });
  });

  it('91: is the last also when it is smaller', async () => {
    const model = claude({ input_tokens: 27, output_tokens: 60 }, { output_tokens: 47 });
    expect((await collect(model)).usage).toMatchObject({ inputTokens: 27, outputTokens: 47 });
  });

  it('91: of Gemini is the last that it says, not the sum', async () => {
    const chunk = (text: string, count: number, finishReason?: string) => ({
      candidates: [{ content: { parts: [{ text }] }, finishReason }],
      usageMetadata: {
        promptTokenCount: 10,
        candidatesTokenCount: count,
        totalTokenCount: 10 + count,
      },
    });
    const model = fromChunks(gemini, [chunk('a', 3), chunk('b', 5), chunk('', 6, 'STOP')]);
    expect((await collect(model)).usage).toMatchObject({
      inputTokens: 10,
      outputTokens: 6,
      totalTokens: 16,
    });
  });

  it('91: of several steps is added up once', async () => {
    const model = claude({ input_tokens: 27, output_tokens: 1 }, { output_tokens: 47 });
    const { agent } = await startAgent([], { model });
    const { usage } = await agent.stream('Go.').result;
    expect(usage).toMatchObject({ inputTokens: 27, outputTokens: 47, totalTokens: 74 });
  });

  it('92: of a cache is within that of the input, wherever the provider counts it', async () => {
    const beside = claude(
      {
        input_tokens: 10,
        cache_read_input_tokens: 80,
        cache_creation_input_tokens: 5,
        output_tokens: 1,
      },
      { output_tokens: 7 },
    );
    expect((await collect(beside)).usage).toMatchObject({
      inputTokens: 95,
      cacheReadTokens: 80,
      cacheWriteTokens: 5,
      outputTokens: 7,
    });
    const within = streamingChunks(
      { choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] },
      {
        choices: [],
        usage: {
          prompt_tokens: 95,
          completion_tokens: 7,
          total_tokens: 102,
          prompt_tokens_details: { cached_tokens: 80 },
        },
      },
    );
    expect((await collect(within)).usage).toMatchObject({
      inputTokens: 95,
      cacheReadTokens: 80,
      totalTokens: 102,
    });
    const cached = fromChunks(gemini, [
      {
        candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: 95,
          cachedContentTokenCount: 80,
          candidatesTokenCount: 7,
          totalTokenCount: 102,
        },
      },
    ]);
    expect((await collect(cached)).usage).toMatchObject({ inputTokens: 95, cacheReadTokens: 80 });
  });

  it('92: of reasoning is within that of the output, and nothing is below zero', async () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 6_000,
      total_tokens: 6_010,
      completion_tokens_details: { reasoning_tokens: 6_001 },
    };
    const body = { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }], usage };
    const response = await fromChunks(openai, [body]).generate({ messages: [] }, {});
    const { outputTokens = 0, reasoningTokens = -1 } = response.usage ?? {};
    expect(outputTokens - reasoningTokens).toBeGreaterThanOrEqual(0);
    expect(reasoningTokens).toBe(6_000);
    const item = { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] };
    const answer = {
      status: 'completed',
      output: [item],
      usage: {
        input_tokens: 10,
        output_tokens: 60,
        total_tokens: 70,
        output_tokens_details: { reasoning_tokens: 40 },
      },
    };
    const other = await fromChunks(openaiResponses, [answer]).generate({ messages: [] }, {});
    expect(other.usage).toMatchObject({ outputTokens: 60, reasoningTokens: 40 });
  });
});
