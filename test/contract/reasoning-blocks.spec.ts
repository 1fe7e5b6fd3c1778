import { describe, expect, it } from '@jest/globals';
import type { AssistantPart, ChatMessage, ToolChoice } from 'nestjs-agent-tools';
import { anthropic, toAnthropicBody } from 'nestjs-agent-tools/anthropic';
import { gemini, toGeminiBody } from 'nestjs-agent-tools/gemini';
import { openaiResponses, toChatCompletionsBody, toResponsesBody } from 'nestjs-agent-tools/openai';
import { fromChunks } from 'nestjs-agent-tools/testing';
import { collect } from './support.js';

const USER: ChatMessage = { role: 'user', content: 'Go.' };
const CLAUDE = { model: 'claude-sonnet-4-5' };

const conversation = (content: readonly AssistantPart[]): ChatMessage[] => [
  USER,
  { role: 'assistant', content },
  {
    role: 'tool',
    content: content
      .filter((part) => part.type === 'tool-call')
      .map(({ id, name }) => ({
        type: 'tool-result',
        callId: id,
        name,
        status: 'success',
        content: 'ok',
      })),
  },
];

/** As it comes back from a store. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const TOOL = {
  name: 'f',
  description: 'F.',
  inputSchema: { type: 'object' as const, properties: {} },
};

const thinking = (signature: string | undefined) =>
  collect(
    fromChunks(anthropic, [
      { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'thinking_delta', thinking: 'Hm.' },
      },
      ...(signature === undefined
        ? []
        : [
            {
              type: 'content_block_delta',
              index: 0,
              delta: { type: 'signature_delta', signature },
            },
          ]),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 't1', name: 'f', input: {} },
      },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ]),
  );

async function signedByGemini() {
  const part = { functionCall: { name: 'f', args: {} }, thoughtSignature: 'c2ln' };
  const chunk = { candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] };
  return collect(fromChunks(gemini, [chunk]));
}

async function reasonedByOpenAI() {
  const output = [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ZW5j' },
    { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: '{}' },
  ];
  return fromChunks(openaiResponses, [{ status: 'completed', output }]).generate(
    { messages: [USER], tools: [TOOL] },
    {},
  );
}

describe('blocks of reasoning', () => {
  it.each([undefined, ''])(
    '94: without a signature (%p) do not go back as such',
    async (signature) => {
      const { content } = await thinking(signature);
      const { messages } = toAnthropicBody({ messages: conversation(content) }, CLAUDE);
      expect(JSON.stringify(messages)).not.toContain('"thinking"');
      expect(JSON.stringify(messages)).toContain('tool_use');
    },
  );

  it('94: with a signature go back with it, first', async () => {
    const { content } = await thinking('c2ln');
    const { messages } = toAnthropicBody({ messages: stored(conversation(content)) }, CLAUDE);
    expect((messages as { content: unknown[] }[])[1].content[0]).toEqual({
      type: 'thinking',
      thinking: 'Hm.',
      signature: 'c2ln',
    });
  });

  it('95: keep what only their provider reads, through a store', async () => {
    const { content } = await signedByGemini();
    const { contents } = toGeminiBody(
      { messages: stored(conversation(content)) },
      { model: 'gemini-3-flash' },
    );
    expect((contents as { parts: unknown[] }[])[1].parts).toContainEqual(
      expect.objectContaining({ thoughtSignature: 'c2ln' }),
    );
    const response = await reasonedByOpenAI();
    const { input } = toResponsesBody(
      { messages: stored(conversation(response.content)) },
      { model: 'gpt-5' },
    );
    const types = (input as { type?: string }[]).map(({ type }) => type);
    expect(types.indexOf('reasoning')).toBe(types.indexOf('function_call') - 1);
    expect(JSON.stringify(input)).toContain('ZW5j');
  });

  it('95: that were lost are made good as Gemini documents it', () => {
    const call = { type: 'tool-call' as const, id: 'c1', name: 'f', arguments: '{}' };
    const { contents } = toGeminiBody(
      { messages: conversation([call]) },
      { model: 'gemini-3-flash' },
    );
    expect((contents as { parts: { thoughtSignature?: string }[] }[])[1].parts[0]).toMatchObject({
      thoughtSignature: 'skip_thought_signature_validator',
    });
  });

  it.each([
    ['deepseek', true],
    ['openai', false],
  ] as const)('95: go back beside calls to %s: %p', (profile, goes) => {
    const content: AssistantPart[] = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'tool-call', id: 'c1', name: 'f', arguments: '{}' },
    ];
    const { messages } = toChatCompletionsBody(
      { messages: conversation(content) },
      { model: 'm', profile },
    );
    expect(JSON.stringify(messages).includes('Hm.')).toBe(goes);
  });

  it('95: leave no empty message behind', () => {
    const messages: ChatMessage[] = [
      USER,
      { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.' }] },
      USER,
    ];
    const request = { messages };
    const roles = (list: unknown) => (list as { role: string }[]).map(({ role }) => role);
    expect(roles(toChatCompletionsBody(request, { model: 'm' }).messages)).toEqual([
      'user',
      'user',
    ]);
    expect(roles(toAnthropicBody(request, CLAUDE).messages)).toEqual(['user']);
    expect(roles(toGeminiBody(request, { model: 'gemini-2.5-flash' }).contents)).toEqual(['user']);
  });

  it('96: of one provider do not go to another', async () => {
    const claude = (await thinking('c2lnLWNsYXVkZQ==')).content;
    const google = (await signedByGemini()).content;
    const openai = (await reasonedByOpenAI()).content;
    const bodies = (content: readonly AssistantPart[]) => {
      const messages = stored(conversation(content));
      return {
        anthropic: JSON.stringify(toAnthropicBody({ messages }, CLAUDE)),
        gemini: JSON.stringify(toGeminiBody({ messages }, { model: 'gemini-2.5-flash' })),
        openai: JSON.stringify(toChatCompletionsBody({ messages }, { model: 'm' })),
        responses: JSON.stringify(toResponsesBody({ messages }, { model: 'gpt-5' })),
      };
    };
    const ofClaude = bodies(claude);
    for (const body of [ofClaude.gemini, ofClaude.openai, ofClaude.responses]) {
      expect(body).not.toMatch(/c2lnLWNsYXVkZQ|"thinking"/);
    }
    const ofGoogle = bodies(google);
    for (const body of [ofGoogle.anthropic, ofGoogle.openai, ofGoogle.responses]) {
      expect(body).not.toMatch(/c2ln|thoughtSignature/);
    }
    const ofOpenAI = bodies(openai);
    for (const body of [ofOpenAI.anthropic, ofOpenAI.gemini, ofOpenAI.openai]) {
      expect(body).not.toMatch(/ZW5j|encrypted_content|rs_1/);
    }
  });

  it.each<ToolChoice>(['required', { tool: 'f' }])(
    '96: and a forced choice of tools do not go together at Anthropic: %j',
    (toolChoice) => {
      const request = { messages: [USER], tools: [TOOL], toolChoice };
      const { tool_choice: choice } = toAnthropicBody(request, {
        ...CLAUDE,
        reasoningBudget: 2_000,
        maxTokens: 4_000,
      });
      expect(choice ?? { type: 'auto' }).toMatchObject({ type: 'auto' });
    },
  );
});
