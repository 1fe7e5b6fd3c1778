import { AIMessage, ToolMessage, type AIMessageChunkFields } from '@langchain/core/messages';
import { describe, expect, it } from '@jest/globals';
import type { AssistantPart, ChatMessage } from 'nestjs-agent-tools';
import { encoded, generated, replayed, streamed } from './support/ask.js';

const SIGNED = [
  { type: 'thinking', thinking: 'Well', signature: 'sig' },
  { type: 'redacted_thinking', data: 'xyz' },
  { type: 'text', text: 'Yes.', citations: [{ url: 'https://x.y' }] },
  { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } },
];
const CALL = { type: 'tool_call', id: 'c', name: 'f', args: { a: 1 } } as const;

describe('a conversation, as LangChain holds it', () => {
  it('has its system message, texts and images', async () => {
    const messages: ChatMessage[] = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image', url: 'data:image/png;base64,AA==' },
        ],
      },
    ];
    const held = await encoded(messages);
    expect(held.map((message) => [message.getType(), message.content])).toEqual([
      ['system', 'Be kind.'],
      ['human', 'Hi'],
      ['ai', 'Hello'],
      [
        'human',
        [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        ],
      ],
    ]);
  });

  it('has calls and their results, with the errors among them', async () => {
    const call = (id: string, json: string) =>
      ({ type: 'tool-call', id, name: id === 'b' ? 'made up!' : 'f', arguments: json }) as const;
    const result = (callId: string, status: 'success' | 'error' | 'denied', content: string) =>
      ({
        type: 'tool-result',
        callId,
        name: callId === 'b' ? 'made up!' : 'f',
        status,
        content,
      }) as const;
    const [ai, ...results] = await encoded([
      { role: 'assistant', content: [call('a', '{"x":1}'), call('b', '[1'), call('c', '')] },
      {
        role: 'tool',
        content: [
          result('a', 'success', 'one'),
          result('b', 'error', 'no'),
          result('c', 'denied', ''),
        ],
      },
    ]);
    expect(ai).toBeInstanceOf(AIMessage);
    expect((ai as AIMessage).content).toBe('');
    expect((ai as AIMessage).tool_calls).toEqual([
      { type: 'tool_call', id: 'a', name: 'f', args: { x: 1 } },
      { type: 'tool_call', id: 'b', name: 'made_up_', args: { INVALID_JSON: '[1' } },
      { type: 'tool_call', id: 'c', name: 'f', args: {} },
    ]);
    expect(results.every((message) => message instanceof ToolMessage)).toBe(true);
    expect(
      (results as ToolMessage[]).map(({ tool_call_id, name, status, content }) => [
        tool_call_id,
        name,
        status,
        content,
      ]),
    ).toEqual([
      ['a', 'f', 'success', 'one'],
      ['b', 'made_up_', 'error', 'no'],
      ['c', 'f', 'error', '(no output)'],
    ]);
  });

  it.each([
    ['whole', generated({ content: SIGNED, tool_calls: [CALL] }, 'anthropic')],
    [
      'streamed',
      streamed(
        [
          { content: [{ index: 0, ...SIGNED[0] }] as never },
          { content: [{ index: 1, ...SIGNED[1] }] as never },
          { content: [{ index: 2, type: 'text', text: 'Yes.' }] },
          { content: [{ index: 2, type: 'text', citations: SIGNED[2]?.citations }] as never },
          {
            content: [{ index: 3, type: 'tool_use', id: 'c', name: 'f', input: '' }],
            tool_call_chunks: [{ index: 3, id: 'c', name: 'f', args: '' }],
          },
          {
            content: [{ index: 3, type: 'input_json_delta', input: '{"a":1}' }],
            tool_call_chunks: [{ index: 3, args: '{"a":1}' }],
          },
          { content: [], additional_kwargs: { stop_reason: 'tool_use' } },
        ],
        'anthropic',
      ),
    ],
  ])('has the signed blocks of a %s answer again', async (_way, answer) => {
    const { content } = await answer;
    const message = (await replayed(content, 'anthropic')) as AIMessage;
    expect(message.content).toEqual(SIGNED);
    expect(message.tool_calls).toEqual([CALL]);
  });

  it('has the signed blocks of standard content, in whose chunks LangChain wraps the signature', async () => {
    const response_metadata = { output_version: 'v1', model_provider: 'anthropic' } as const;
    const wrapped = (value: object) => ({ type: 'non_standard', value });
    const { content } = await streamed(
      [
        [{ type: 'reasoning', reasoning: '', signature: '', index: 0 }],
        [{ type: 'reasoning', reasoning: 'Well', index: 0 }],
        [wrapped({ type: 'thinking', signature: 'sig', index: 0 })],
        [wrapped({ type: 'redacted_thinking', data: 'xyz', index: 1 })],
        [{ type: 'text', text: 'Yes.', index: 2 }],
      ]
        .map((blocks): AIMessageChunkFields => ({ content: blocks as never, response_metadata }))
        .concat({ content: [], additional_kwargs: { stop_reason: 'end_turn' } }),
      'anthropic',
    );
    const message = await replayed(content, 'anthropic');
    expect(message?.response_metadata).toEqual(response_metadata);
    expect(message?.content).toEqual([
      { type: 'reasoning', reasoning: 'Well', signature: 'sig' },
      wrapped({ type: 'redacted_thinking', data: 'xyz' }),
      { type: 'text', text: 'Yes.' },
    ]);
  });

  it('has no blocks, signatures or reasoning of another kind of model', async () => {
    const { content } = await generated({ content: SIGNED, tool_calls: [CALL] }, 'anthropic');
    const message = (await replayed(content, 'other')) as AIMessage;
    expect(message.content).toBe('Yes.');
    expect(message.tool_calls).toEqual([CALL]);
    expect(message.additional_kwargs).toEqual({});
  });

  it('has no turn of which only the reasoning of another model was left', async () => {
    expect(await replayed([{ type: 'reasoning', text: 'Hm' }])).toBeUndefined();
  });

  it('has no thinking without a signature, which a cut-off stream leaves', async () => {
    const metadata = { 'langchain:anthropic': { block: { type: 'thinking', signature: '' } } };
    const parts: AssistantPart[] = [
      { type: 'reasoning', text: 'Hm', providerMetadata: metadata },
      { type: 'text', text: 'Yes.' },
    ];
    expect((await replayed(parts, 'anthropic'))?.content).toBe('Yes.');
  });

  it('has the reasoning of a field in that field again', async () => {
    const { content } = await streamed([
      { content: '', additional_kwargs: { reasoning_content: 'We' } },
      { content: '', additional_kwargs: { reasoning_content: 'll' } },
      { content: 'Yes.' },
    ]);
    const message = await replayed(content, 'fake');
    expect(message?.content).toBe('Yes.');
    expect(message?.additional_kwargs).toEqual({ reasoning_content: 'Well' });
  });

  it.each([
    [
      'whole',
      generated({
        content: '',
        tool_calls: [CALL],
        additional_kwargs: { signatures: { c: 's1', d: 's2' } },
      }),
    ],
    [
      'streamed',
      streamed([
        {
          content: '',
          tool_call_chunks: [{ index: 0, id: 'c', name: 'f', args: '{"a":1}' }],
          additional_kwargs: { signatures: { c: 's1' } },
        },
        { content: '', additional_kwargs: { signatures: { d: 's2' } } },
      ]),
    ],
  ])('has what a %s answer held beside its content', async (_way, answer) => {
    const message = await replayed((await answer).content, 'fake');
    expect(message?.additional_kwargs).toEqual({ signatures: { c: 's1', d: 's2' } });
    expect((await replayed((await answer).content, 'other'))?.additional_kwargs).toEqual({});
  });

  it('has what a call held beside its arguments', async () => {
    const { content } = await generated({
      content: '',
      tool_calls: [{ ...CALL, extras: { signature: 's' } } as never],
    });
    expect(((await replayed(content, 'fake')) as AIMessage).tool_calls).toEqual([
      { ...CALL, extras: { signature: 's' } },
    ]);
  });
});
