import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type {
  ChatDelta,
  ChatMessage,
  ChatRequest,
  ChatTool,
  ToolResultStatus,
} from 'nestjs-agent-tools';
import { offline } from 'nestjs-agent-tools/offline';

const TOOLS: ChatTool[] = [
  {
    name: 'findParcel',
    description: 'Find a parcel by its code.',
    inputSchema: {
      type: 'object',
      properties: { code: { type: 'string', pattern: '^P-\\d+$' } },
      required: ['code'],
    },
  },
  {
    name: 'getWeather',
    description: 'Weather in a city.',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
  },
];
const user = (content: string): ChatMessage => ({ role: 'user', content });

function answered(
  name: string,
  args: object,
  content: string,
  status: ToolResultStatus = 'success',
): ChatMessage[] {
  const id = `${name}-id`;
  return [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', id, name, arguments: JSON.stringify(args) }],
    },
    { role: 'tool', content: [{ type: 'tool-result', callId: id, name, status, content }] },
  ];
}

const generate = (messages: ChatMessage[], more: Partial<ChatRequest> = {}) =>
  offline().generate({ messages, tools: TOOLS, ...more }, {});

async function textOf(messages: ChatMessage[]): Promise<string> {
  const { content } = await generate(messages);
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

describe('offline() in a conversation', () => {
  it('reads the last user message only, with all its text parts', async () => {
    const { content } = await generate([
      user('Find parcel P-1'),
      ...answered('findParcel', { code: 'P-1' }, 'Lost.'),
      { role: 'assistant', content: [{ type: 'text', text: 'It is lost.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And the weather' },
          { type: 'image', url: 'https://example.com/a.png' },
          { type: 'text', text: 'in Rome?' },
        ],
      },
    ]);
    expect(content).toEqual([
      { type: 'tool-call', id: 'call_2', name: 'getWeather', arguments: '{"city":"Rome"}' },
    ]);
  });

  it('says the results of all calls, and what was asked for in vain', async () => {
    const text = await textOf([
      user('What is the weather in Rome and where is my parcel?'),
      ...answered('getWeather', { city: 'Rome' }, '{"sky":"clear","degrees":21,"wind":null}'),
    ]);
    expect(text).toContain('Rome');
    expect(text).toMatch(/sky is clear/);
    expect(text).toMatch(/degrees is 21/);
    expect(text).toContain('findParcel needs code.');
  });

  it.each<[string, ToolResultStatus, RegExp]>([
    ['[{"code":"P-1"},{"code":"P-2"},{"code":"P-3"},{"code":"P-4"}]', 'success', /4 found.*P-1/],
    ['[]', 'success', /none/],
    ['{"open":true,"place":{"city":"Rome"}}', 'success', /yes.*Rome/],
    ['{"cut": off', 'success', /\{"cut": off/],
    ['There is no parcel P-1.', 'error', /findParcel failed: There is no parcel P-1\./],
    ['Forbidden resource', 'denied', /^findParcel was denied\.$/],
    ['Aborted', 'interrupted', /^findParcel was interrupted\.$/],
  ])('puts the result %s (%s) into words', async (content, status, words) => {
    const messages = answered('findParcel', { code: 'P-1' }, content, status);
    expect(await textOf([user('Find parcel P-1'), ...messages])).toMatch(words);
  });

  it('calls a tool of its choice if one is required', async () => {
    const { content } = await generate([user('Anything new about P-77?')], {
      toolChoice: 'required',
    });
    expect(content).toMatchObject([{ name: 'findParcel', arguments: '{"code":"P-77"}' }]);
    const unable = await generate([user('Anything new?')], { toolChoice: 'required' });
    expect(unable).toMatchObject({ finishReason: 'stop', content: [{ type: 'text' }] });
  });

  it.each(['Find the parcels P-1 and P-2', 'Find my parcel', 'Hello'])(
    'streams for "%s" what it generates',
    async (question) => {
      const request = { messages: [user(question)], tools: TOOLS };
      const whole = await offline().generate(request, {});
      const deltas: ChatDelta[] = [];
      for await (const delta of offline().stream(request, {})) deltas.push(delta);
      const text = deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
      const calls = deltas
        .filter((delta) => delta.type === 'tool-call')
        .map(({ index: _index, ...call }) => call);
      expect(calls.length > 0 ? calls : [{ type: 'text', text }]).toEqual(whole.content);
      expect(deltas.at(-2)).toEqual({ type: 'usage', usage: whole.usage });
      expect(deltas.at(-1)).toEqual({ type: 'finish', reason: whole.finishReason });
    },
  );

  it('ends between two words when it is aborted, and leaves no listener behind', async () => {
    const controller = new AbortController();
    const words: string[] = [];
    const read = async () => {
      const request = { messages: [user('Hello')], tools: TOOLS };
      for await (const delta of offline({ delay: 1 }).stream(request, controller)) {
        if (delta.type !== 'text') continue;
        expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
        if (words.push(delta.text) === 2) controller.abort(new Error('enough'));
      }
    };
    await expect(read()).rejects.toThrow('enough');
    expect(words).toHaveLength(2);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    await expect(offline().generate({ messages: [user('Hello')] }, controller)).rejects.toThrow(
      'enough',
    );
  });
});
