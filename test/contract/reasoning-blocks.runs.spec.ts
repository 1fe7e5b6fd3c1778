import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type ChatMessage } from 'nestjs-agent-tools';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai } from 'nestjs-agent-tools/openai';
import { startAgent } from '../loop/support/agent.js';
import { serving, WIRES } from './wire.js';

@Injectable()
class Tools {
  @Tool('F.')
  f(): string {
    return 'ok';
  }
}

const [CHAT, , CLAUDE, GEMINI] = WIRES.map(([, wire]) => wire);
const CALL = { name: 'f', id: 'c1' };

/** An answer of Anthropic that thinks, and then calls. */
function thinking(signature?: string): object[] {
  const [start, ...rest] = CLAUDE.chunks([], [CALL]);
  const delta = (part: object) => ({ type: 'content_block_delta', index: 5, delta: part });
  const block = { type: 'thinking', thinking: '' };
  return [
    start,
    { type: 'content_block_start', index: 5, content_block: block },
    delta({ type: 'thinking_delta', thinking: 'Hm.' }),
    ...(signature === undefined ? [] : [delta({ type: 'signature_delta', signature })]),
    { type: 'content_block_stop', index: 5 },
    ...rest,
  ];
}

const signed = (thoughtSignature: string) => [
  {
    candidates: [
      {
        content: { parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature }] },
        finishReason: 'STOP',
      },
    ],
  },
];

describe('blocks of reasoning in a run', () => {
  it.each([undefined, ''])('94: are not sent back without a signature: %j', async (signature) => {
    const { model, bodies } = serving(anthropic, thinking(signature), CLAUDE.chunks(['done']));
    const { agent } = await startAgent([Tools], { model });
    expect((await agent.stream('Go.').result).text).toBe('done');
    const { messages } = bodies[1] as { messages: { content: { type: string }[] }[] };
    const types = messages[1].content.map(({ type }) => type);
    expect(types).toContain('tool_use');
    expect(types).not.toContain('thinking');
  });

  it('95: of Anthropic go back before the call, with their signature', async () => {
    const { model, bodies } = serving(anthropic, thinking('c2ln'), CLAUDE.chunks(['done']));
    const { agent } = await startAgent([Tools], { model });
    await agent.stream('Go.').result;
    const { messages } = bodies[1] as { messages: { content: object[] }[] };
    expect(messages[1].content).toMatchObject([
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'tool_use', id: 'c1' },
    ]);
  });

  it('95: of Gemini survive a store between two runs', async () => {
    const answers = [signed('c2ln'), GEMINI.chunks(['done']), GEMINI.chunks(['again'])];
    const { model, bodies } = serving(gemini, ...answers);
    const { agent } = await startAgent([Tools], { model });
    const { messages } = await agent.stream('Go.').result;
    const history = JSON.parse(JSON.stringify(messages)) as typeof messages;
    await agent.stream([
      { role: 'user', content: 'Go.' },
      ...history,
      { role: 'user', content: 'More.' },
    ]).result;
    const { contents } = bodies[2] as { contents: { parts: object[] }[] };
    expect(contents[1].parts).toMatchObject([
      { functionCall: { name: 'f' }, thoughtSignature: 'c2ln' },
    ]);
  });

  it('96: do not follow a conversation from Anthropic and Gemini to another provider', async () => {
    const first = serving(anthropic, thinking('c2ln'), CLAUDE.chunks(['done']));
    const second = serving(gemini, signed('Z29v'), GEMINI.chunks(['done']));
    const third = serving(openai, CHAT.chunks(['done']));
    const back = serving(anthropic, CLAUDE.chunks(['done']));
    let conversation: ChatMessage[] = [];
    for (const { model } of [first, second, third, back]) {
      const { agent } = await startAgent([Tools], { model });
      const input: ChatMessage[] = [...conversation, { role: 'user', content: 'Go.' }];
      const { messages } = await agent.stream(input).result;
      conversation = JSON.parse(JSON.stringify([...input, ...messages])) as ChatMessage[];
    }
    expect(JSON.stringify(second.bodies)).not.toMatch(/c2ln|"thinking"/);
    expect(JSON.stringify(third.bodies)).not.toMatch(/c2ln|Z29v|"thinking"|thoughtSignature/);
    expect(JSON.stringify(back.bodies)).not.toMatch(/Z29v|thoughtSignature/);
    // Its own come back with their signature.
    expect(JSON.stringify(back.bodies)).toContain('"signature":"c2ln"');
  });

  it('96: and a choice of tools that is forced do not go to Anthropic together', async () => {
    const { model, bodies } = serving(anthropic, CLAUDE.chunks(['done']));
    const { agent } = await startAgent([Tools], { model });
    const modelSettings = { reasoningBudget: 2_000, maxTokens: 4_000 };
    await agent.stream('Go.', { toolChoice: 'required', modelSettings }).result;
    const [body] = bodies as { thinking?: { type: string }; tool_choice?: { type: string } }[];
    expect(body.thinking?.type).toBe('enabled');
    expect(body.tool_choice?.type ?? 'auto').toBe('auto');
  });
});
