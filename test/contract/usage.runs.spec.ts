import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type Usage } from 'nestjs-agent-tools';
import { startAgent } from '../loop/support/agent.js';
import { collect } from './support.js';
import { serving, WIRES } from './wire.js';

@Injectable()
class Tools {
  @Tool('F.')
  f(): string {
    return 'ok';
  }
}

type Counts = readonly [input: number, cached: number, output: number, reasoning: number];

/** The answer with these counts in its last chunks, as each provider writes them; some write them twice. */
const WITH_USAGE: Readonly<Record<string, (chunks: object[], counts: Counts) => object[]>> = {
  openai: (chunks, [input, cached, output, reasoning]) => {
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: reasoning },
    };
    return [...chunks, { choices: [], usage }, { choices: null, usage }];
  },
  openaiResponses: (chunks, [input, cached, output, reasoning]) => {
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + output,
    };
    const { response, ...last } = chunks.at(-1) as { response: object };
    return [...chunks.slice(0, -1), { ...last, response: { ...response, usage } }];
  },
  anthropic: (chunks, [input, cached, output]) => {
    const usage = {
      input_tokens: input - cached,
      cache_read_input_tokens: cached,
      output_tokens: output,
    };
    const early = { message: { usage: { ...usage, output_tokens: output + 5 } } };
    const delta = { ...chunks.at(-2), usage };
    return [{ ...chunks[0], ...early }, ...chunks.slice(1, -2), delta, chunks.at(-1) as object];
  },
  gemini: (chunks, [input, cached, output, reasoning]) =>
    chunks.map((chunk) => ({
      ...chunk,
      usageMetadata: {
        promptTokenCount: input,
        cachedContentTokenCount: cached,
        // Beside each other here, unlike elsewhere.
        candidatesTokenCount: output - reasoning,
        thoughtsTokenCount: reasoning,
        totalTokenCount: input + output,
      },
    })),
};

describe.each(WIRES)('the usage that %s tells', (provider, { factory, chunks }) => {
  const withUsage = WITH_USAGE[provider];

  it('91: is the last of an answer, and the sum of those of a run', async () => {
    const first = withUsage(chunks(['a', 'b'], [{ name: 'f', id: 'c1' }]), [27, 0, 47, 0]);
    const second = withUsage(chunks(['done']), [100, 0, 3, 0]);
    const { model } = serving(factory, first, second);
    const { agent } = await startAgent([Tools], { model });
    const { usage } = await agent.stream('Go.').result;
    expect(usage).toMatchObject({ inputTokens: 127, outputTokens: 50, totalTokens: 177 });
  });

  it('92: has what was cached within the input, and reasoning within the output', async () => {
    const { model } = serving(factory, withUsage(chunks(['Hi']), [95, 80, 60, 40]));
    const { usage } = await collect(model);
    expect(usage).toMatchObject({ inputTokens: 95, cacheReadTokens: 80, outputTokens: 60 });
    const reasoning = provider === 'anthropic' ? undefined : 40;
    expect(usage?.reasoningTokens).toBe(reasoning);
  });
});

// The others count reasoning beside the rest, or not at all.
describe.each(WIRES.slice(0, 2))('the parts that %s tells', (provider, { factory, chunks }) => {
  it('92: are never below zero, though one is above the whole', async () => {
    const answer = WITH_USAGE[provider](chunks(['Hi']), [10, 11, 6_000, 6_001]);
    const usage = (await collect(serving(factory, answer).model)).usage as Usage;
    expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 6_000, totalTokens: 6_010 });
    for (const count of Object.values(usage)) expect(count).toBeGreaterThanOrEqual(0);
  });
});
