import { describe, expect, it } from '@jest/globals';
import { ChatModelException, ChatStreamAssembler } from 'nestjs-agent-tools';
import { decodeChatCompletion, openai } from 'nestjs-agent-tools/openai';
import { collect } from '../models/test-server.js';

const message = (fields: object, ...finish: unknown[]) => ({
  choices: [
    {
      index: 0,
      message: { role: 'assistant', ...fields },
      finish_reason: finish.length > 0 ? finish[0] : 'stop',
    },
  ],
});
const wireCall = (id: string | undefined, name: string, json: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: json },
});

describe('a complete answer', () => {
  it('has reasoning, text, calls, a reason and usage', () => {
    expect(
      decodeChatCompletion({
        ...message(
          { content: 'I look.', reasoning_content: 'Hm', tool_calls: [wireCall('a', 'f')] },
          'tool_calls',
        ),
        usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      }),
    ).toEqual({
      content: [
        { type: 'reasoning', text: 'Hm' },
        { type: 'text', text: 'I look.' },
        { type: 'tool-call', id: 'a', name: 'f', arguments: '{}' },
      ],
      finishReason: 'tool-calls',
      usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
    });
  });

  it('has what only its server understands under the name of that', () => {
    const call = { ...wireCall('a', 'f'), extra_content: { x: 1 } };
    const metadata = (provider?: string) =>
      decodeChatCompletion(message({ tool_calls: [call] }), 'x', provider).content[0]
        ?.providerMetadata;
    expect(metadata()).toEqual({ openai: { extra_content: { x: 1 } } });
    expect(metadata('llm.example:443')).toEqual({ 'llm.example:443': { extra_content: { x: 1 } } });
  });

  it.each([null, '', undefined])('may lack its reason: %j', (finish) => {
    expect(decodeChatCompletion(message({ content: 'A' }, finish)).finishReason).toBe('stop');
    expect(
      decodeChatCompletion(message({ content: null, tool_calls: [wireCall('a', 'f')] }, finish))
        .finishReason,
    ).toBe('tool-calls');
  });

  it('keeps a reason that its calls do not match', () => {
    const { content, finishReason } = decodeChatCompletion(
      message({ tool_calls: [wireCall('a', 'f')] }, 'stop'),
    );
    expect(content).toHaveLength(1);
    expect(finishReason).toBe('stop');
  });

  it('takes the first choice with calls, else the first', () => {
    const { choices: first } = message({ content: 'A' });
    const { choices: second } = message({ tool_calls: [wireCall('a', 'f')] }, 'tool_calls');
    expect(decodeChatCompletion({ choices: [...first, ...second] }).content).toEqual([
      { type: 'tool-call', id: 'a', name: 'f', arguments: '{}' },
    ]);
    expect(decodeChatCompletion({ choices: [...first, ...first] }).content).toEqual([
      { type: 'text', text: 'A' },
    ]);
  });

  it('has as many calls as entries, whatever ids they have', () => {
    const calls = [
      wireCall('a', 'f'),
      wireCall('a', 'f'),
      wireCall('', 'g'),
      wireCall(undefined, 'g'),
    ];
    const { content } = decodeChatCompletion(message({ tool_calls: calls }));
    expect(content.map((part) => part.type === 'tool-call' && part.name)).toEqual([
      'f',
      'f',
      'g',
      'g',
    ]);
    expect(new Set(content.map((part) => part.type === 'tool-call' && part.id)).size).toBe(4);
  });

  it('has each entry as a call of its own, even if nothing else tells them apart', () => {
    const call = { id: 'a', function: { name: 'f' } };
    expect(decodeChatCompletion(message({ tool_calls: [call, call] })).content).toHaveLength(2);
  });

  it('has calls without arguments, or with an object', () => {
    const calls = [{ id: 'a', function: { name: 'f' } }, wireCall('b', 'g', { x: 1 })];
    expect(decodeChatCompletion(message({ tool_calls: calls })).content).toMatchObject([
      { name: 'f', arguments: '{}' },
      { name: 'g', arguments: '{"x":1}' },
    ]);
  });

  it('ignores the empty fields of servers that send all of them', () => {
    expect(
      decodeChatCompletion({
        choices: [
          {
            finish_reason: '',
            message: {
              content: 'Sunny',
              refusal: '',
              annotations: null,
              audio: { data: '' },
              function_call: { name: '', arguments: '' },
              tool_calls: null,
            },
          },
        ],
      }),
    ).toEqual({ content: [{ type: 'text', text: 'Sunny' }], finishReason: 'stop' });
  });

  it('has a content that is a list', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
      { type: 'text', text: 'A' },
    ];
    expect(decodeChatCompletion(message({ content })).content).toEqual([
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'A' },
    ]);
  });

  it.each([undefined, null, 'text', {}, { choices: null }, { choices: [] }, { choices: [{}] }])(
    'is not %j',
    (body) => {
      expect(() => decodeChatCompletion(body, 'openai:m')).toThrow(ChatModelException);
      expect(() => decodeChatCompletion(body, 'openai:m')).toThrow(
        /^openai:m sent JSON that is no answer/,
      );
    },
  );

  it('may come where a stream was asked for', async () => {
    const body = message(
      { content: 'A', tool_calls: [wireCall('', 'f'), wireCall('', 'f')] },
      null,
    );
    const model = openai({
      model: 'm',
      baseURL: 'http://x',
      fetch: async () => Response.json(body),
    });
    const assembler = new ChatStreamAssembler();
    for (const delta of await collect(model.stream({ messages: [] }, {}))) assembler.push(delta);
    expect(assembler.finish()).toMatchObject({
      content: [{ text: 'A' }, { name: 'f' }, { name: 'f' }],
      finishReason: 'tool-calls',
    });
  });
});
